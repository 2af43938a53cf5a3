BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0003');
CREATE TABLE confirmations (
	token_hash TEXT NOT NULL, 
	player_id TEXT NOT NULL, 
	expires_at DATETIME NOT NULL, 
	used_at DATETIME, 
	CONSTRAINT pk_confirmations PRIMARY KEY (token_hash), 
	CONSTRAINT fk_confirmations_player_id FOREIGN KEY(player_id) REFERENCES players (id)
);
INSERT INTO "confirmations" VALUES('017bc82e95f925156680d8045e0c0553bf3353c28c8929590a503b7e9a1d3589','keucrlbqbncc','2026-11-23 12:00:00.000000','2026-11-21 12:00:00.000000');
INSERT INTO "confirmations" VALUES('d0afd73ed22db0007e48224d61ecd8b0e93d0b9432dc45fb2c439020301923ee','4kwtso26pvbw','2026-11-23 12:00:00.000000','2026-11-21 12:00:00.000000');
INSERT INTO "confirmations" VALUES('95c00772a526d056d818bdaf23e42d10aca1a24b3e5d35783b57b820aa0b9004','ve46h6mp72fn','2026-11-23 12:02:00.000000','2026-11-21 12:02:00.000000');
INSERT INTO "confirmations" VALUES('e664d4b09dc6fb6938d74577a40a2b4e874a3313f02dd7cc31e69779abc7baac','qhdfbgjjyjqf','2026-11-23 12:02:00.000000','2026-11-21 12:02:00.000000');
INSERT INTO "confirmations" VALUES('cc6fce9bfefce1930ec16bbc5b075ececc0c2e89c698a43fcbaa9854544e559c','x7pmpvytucei','2026-11-23 12:03:00.000000','2026-11-21 12:03:00.000000');
INSERT INTO "confirmations" VALUES('6974aa5e96f6e562852c6bc813ace9f70120fb0d6f4ee82af8b648bcd7ddd5df','ay2d5w4jlm7s','2026-11-23 12:03:00.000000','2026-11-21 12:03:00.000000');
CREATE TABLE entries (
	match_id TEXT NOT NULL, 
	ply INTEGER NOT NULL, 
	seat INTEGER NOT NULL, 
	action JSON NOT NULL, 
	turn_id TEXT, 
	at DATETIME NOT NULL, 
	CONSTRAINT pk_entries PRIMARY KEY (match_id, ply), 
	CONSTRAINT fk_entries_match_id FOREIGN KEY(match_id) REFERENCES matches (id), 
	CONSTRAINT fk_entries_turn_id FOREIGN KEY(turn_id) REFERENCES turns (id)
);
INSERT INTO "entries" VALUES('cdki2fa6qe',0,-1,'{"type": "deal_symbol", "to": 0, "symbol": "wagon"}',NULL,'2026-11-21 12:00:00.000000');
INSERT INTO "entries" VALUES('cdki2fa6qe',1,-1,'{"type": "deal_symbol", "to": 0, "symbol": "bison"}',NULL,'2026-11-21 12:00:00.000000');
INSERT INTO "entries" VALUES('cdki2fa6qe',2,-1,'{"type": "deal_symbol", "to": 0, "symbol": "settler"}',NULL,'2026-11-21 12:00:00.000000');
INSERT INTO "entries" VALUES('cdki2fa6qe',3,-1,'{"type": "deal_building", "to": 0, "building": "coal_mine"}',NULL,'2026-11-21 12:00:00.000000');
INSERT INTO "entries" VALUES('cdki2fa6qe',4,-1,'{"type": "deal_symbol", "to": 1, "symbol": "bison"}',NULL,'2026-11-21 12:00:00.000000');
INSERT INTO "entries" VALUES('cdki2fa6qe',5,-1,'{"type": "deal_symbol", "to": 1, "symbol": "settler"}',NULL,'2026-11-21 12:00:00.000000');
INSERT INTO "entries" VALUES('cdki2fa6qe',6,-1,'{"type": "deal_symbol", "to": 1, "symbol": "eagle"}',NULL,'2026-11-21 12:00:00.000000');
INSERT INTO "entries" VALUES('cdki2fa6qe',7,-1,'{"type": "deal_building", "to": 1, "building": "warehouse"}',NULL,'2026-11-21 12:00:00.000000');
INSERT INTO "entries" VALUES('cdki2fa6qe',8,-1,'{"type": "deal_start_tile", "to": 0, "building": "warehouse"}',NULL,'2026-11-21 12:00:00.000000');
INSERT INTO "entries" VALUES('cdki2fa6qe',9,-1,'{"type": "deal_start_tile", "to": 1, "building": "gold_mine"}',NULL,'2026-11-21 12:00:00.000000');
INSERT INTO "entries" VALUES('cdki2fa6qe',10,0,'{"type": "start", "space": "J9"}','576lhhggt42puzcv5zyp','2026-11-21 12:01:00.000000');
INSERT INTO "entries" VALUES('cdki2fa6qe',11,1,'{"type": "start", "space": "H9"}','fzkz7mm6xfee4ze27vlr','2026-11-21 12:01:00.000000');
INSERT INTO "entries" VALUES('cdki2fa6qe',12,0,'{"type": "farmer", "space": "N3", "cards": ["bison"], "joker": true}','ea7uq5n32gijhsine5lo','2026-11-21 12:01:00.000000');
INSERT INTO "entries" VALUES('cdki2fa6qe',13,0,'{"type": "draw", "deck": "landscape"}','s4n5qrqaofazfpxrkqrz','2026-11-21 12:01:00.000000');
INSERT INTO "entries" VALUES('cdki2fa6qe',14,-1,'{"type": "deal_symbol", "to": 0, "symbol": "bison"}','s4n5qrqaofazfpxrkqrz','2026-11-21 12:01:00.000000');
INSERT INTO "entries" VALUES('b24uxzeqq2',0,-1,'{"type": "lay_tile", "tile": "J", "turned": 4}',NULL,'2026-11-21 12:02:00.000000');
INSERT INTO "entries" VALUES('b24uxzeqq2',1,-1,'{"type": "lay_tile", "tile": "G", "turned": 2}',NULL,'2026-11-21 12:02:00.000000');
INSERT INTO "entries" VALUES('b24uxzeqq2',2,-1,'{"type": "lay_tile", "tile": "E", "turned": 3}',NULL,'2026-11-21 12:02:00.000000');
INSERT INTO "entries" VALUES('b24uxzeqq2',3,-1,'{"type": "lay_tile", "tile": "I", "turned": 3}',NULL,'2026-11-21 12:02:00.000000');
INSERT INTO "entries" VALUES('b24uxzeqq2',4,-1,'{"type": "lay_tile", "tile": "K", "turned": 5}',NULL,'2026-11-21 12:02:00.000000');
INSERT INTO "entries" VALUES('b24uxzeqq2',5,-1,'{"type": "lay_tile", "tile": "D", "turned": 3}',NULL,'2026-11-21 12:02:00.000000');
INSERT INTO "entries" VALUES('b24uxzeqq2',6,-1,'{"type": "lay_tile", "tile": "F", "turned": 1}',NULL,'2026-11-21 12:02:00.000000');
INSERT INTO "entries" VALUES('b24uxzeqq2',7,-1,'{"type": "lay_start", "hex": "D7"}',NULL,'2026-11-21 12:02:00.000000');
INSERT INTO "entries" VALUES('b24uxzeqq2',8,-1,'{"type": "spin", "segment": 8}',NULL,'2026-11-21 12:02:00.000000');
INSERT INTO "entries" VALUES('b24uxzeqq2',9,-1,'{"type": "spin", "segment": 8}',NULL,'2026-11-21 12:02:00.000000');
INSERT INTO "entries" VALUES('b24uxzeqq2',10,-1,'{"type": "spin", "segment": 4}',NULL,'2026-11-21 12:02:00.000000');
INSERT INTO "entries" VALUES('b24uxzeqq2',11,-1,'{"type": "spin", "segment": 8}',NULL,'2026-11-21 12:02:00.000000');
INSERT INTO "entries" VALUES('mo633abw4p',0,0,'{"type": "ship", "start": "south D"}','qsmhtajo6u4phh6wjapv','2026-11-21 12:03:00.000000');
INSERT INTO "entries" VALUES('mo633abw4p',1,-1,'{"type": "draw", "tile": "coast"}','qsmhtajo6u4phh6wjapv','2026-11-21 12:03:00.000000');
INSERT INTO "entries" VALUES('mo633abw4p',2,0,'{"type": "place", "space": "D5", "land": "NW"}','niv5hbknvgzxqg7j2hhy','2026-11-21 12:03:00.000000');
INSERT INTO "entries" VALUES('mo633abw4p',3,0,'{"type": "explorer", "value": 2, "part": null}','j6pfhnv6emg7ebbm44x7','2026-11-21 12:03:00.000000');
INSERT INTO "entries" VALUES('mo633abw4p',4,1,'{"type": "ship", "start": "west 3"}','5kf5xbvmlkfail6d6gl2','2026-11-21 12:03:00.000000');
INSERT INTO "entries" VALUES('mo633abw4p',5,-1,'{"type": "draw", "tile": "strait"}','5kf5xbvmlkfail6d6gl2','2026-11-21 12:03:00.000000');
CREATE TABLE matches (
	id TEXT NOT NULL, 
	game TEXT NOT NULL, 
	rules_version INTEGER NOT NULL, 
	components_name TEXT NOT NULL, 
	components JSON NOT NULL, 
	options JSON NOT NULL, 
	title TEXT NOT NULL, 
	status TEXT NOT NULL, 
	created_by TEXT NOT NULL, 
	created_at DATETIME NOT NULL, 
	started_at DATETIME, 
	finished_at DATETIME, 
	ply INTEGER NOT NULL, 
	secret BLOB NOT NULL, 
	commitment TEXT NOT NULL, 
	outcome JSON, components_digest TEXT DEFAULT '' NOT NULL, 
	CONSTRAINT pk_matches PRIMARY KEY (id), 
	CONSTRAINT fk_matches_created_by FOREIGN KEY(created_by) REFERENCES players (id)
);
INSERT INTO "matches" VALUES('cdki2fa6qe','oregon',1,'standard','{"name": "standard", "columns": {"value": ["wagon", "bison", "settler", "eagle", "campfire"], "provenance": "reported", "note": "Each symbol heads three columns. Reviewers agree on the order along one edge."}, "rows": {"value": ["wagon", "bison", "settler", "eagle", "campfire"], "provenance": "reconstructed", "note": "Each symbol heads two rows. The order of the other edge is taken to be the same."}, "terrain": {"value": [".^^^^.=......^^", "..^^..=...~~...", "....^.=....~~..", "....^.=.^^..~~.", "====..=..^...~.", "....====......^", "^.......=...^^^", "^^.~~....=....^", "..~~~..^^.=====", "...~..^^^^....."], "provenance": "reconstructed", "note": "Drawn by us to what reviewers report: two lakes, one railway with three arms, several mountain groups, prairie in the majority."}, "landscape_cards": {"value": {"wagon": 10, "bison": 10, "settler": 10, "eagle": 10, "campfire": 10}, "provenance": "rulebook", "note": "50 cards."}, "building_cards": {"value": {"post_office": 3, "harbour": 3, "church": 3, "coal_mine": 3, "gold_mine": 3, "warehouse": 3, "station": 3}, "provenance": "rulebook", "note": "21 cards."}, "building_tiles": {"value": {"post_office": 4, "harbour": 4, "church": 4, "coal_mine": 4, "gold_mine": 4, "warehouse": 4, "station": 4}, "provenance": "rulebook", "note": "28 tiles."}, "start_tiles": {"value": {"post_office": 1, "harbour": 1, "church": 1, "coal_mine": 1, "gold_mine": 1, "warehouse": 1, "station": 1}, "provenance": "rulebook", "note": "7 tiles with a red back."}, "farmers": {"value": 14, "provenance": "rulebook", "note": "Of each colour: 15, one of which counts the points."}, "coal_tokens": {"value": {"1": 7, "2": 7, "3": 7}, "provenance": "rulebook", "note": "21 tokens, by value."}, "gold_tokens": {"value": {"3": 7, "4": 7, "5": 7}, "provenance": "rulebook", "note": "21 tokens, by value."}}','{"discard_duplicates": false}','Oregon','running','keucrlbqbncc','2026-11-21 12:00:00.000000','2026-11-21 12:00:00.000000',NULL,15,X'0B590D8B437505EAAD41EC062AA815C2252E3287069B4F4CAB0E7FFAA23696A4','062884ddb8915cd7af6e06e74146ad14ac2d4ec8fcf2247e97c36ac3387ae153',NULL,'1b1d3deef520d9c6a40ad6da13ca7e435bd33051f5ec2d632a23b55b6d9d0c8e');
INSERT INTO "matches" VALUES('b24uxzeqq2','montana',1,'standard','{"name": "standard", "tiles": {"value": {"A": [{"at": [0, 0], "terrain": "lake", "cost": {}, "cow": false, "double": false, "canteen": true}, {"at": [1, 0], "terrain": "prairie", "cost": {"wheat": 1, "large_stone": 1}, "cow": true, "double": false, "canteen": false}, {"at": [0, 1], "terrain": "prairie", "cost": {"pumpkin": 1, "copper": 2}, "cow": false, "double": false, "canteen": false}, {"at": [-1, 1], "terrain": "prairie", "cost": {"wheat": 1, "large_copper": 1}, "cow": true, "double": false, "canteen": false}, {"at": [-1, 0], "terrain": "prairie", "cost": {"wheat": 2, "stone": 2}, "cow": false, "double": false, "canteen": false}, {"at": [0, -1], "terrain": "prairie", "cost": {"wheat": 1, "pumpkin": 1, "copper": 1, "stone": 1}, "cow": false, "double": true, "canteen": false}, {"at": [1, -1], "terrain": "prairie", "cost": {"pumpkin": 2, "copper": 2}, "cow": false, "double": false, "canteen": false}], "B": [{"at": [0, 0], "terrain": "prairie", "cost": {"wheat": 2, "copper": 1, "stone": 1}, "cow": false, "double": false, "canteen": false}, {"at": [1, 0], "terrain": "mountain", "cost": {}, "cow": false, "double": false, "canteen": false}, {"at": [0, 1], "terrain": "prairie", "cost": {"large_copper": 1, "large_stone": 1}, "cow": false, "double": false, "canteen": false}, {"at": [-1, 1], "terrain": "prairie", "cost": {"pumpkin": 2, "large_copper": 1}, "cow": false, "double": false, "canteen": false}, {"at": [-1, 0], "terrain": "lake", "cost": {}, "cow": false, "double": false, "canteen": true}, {"at": [0, -1], "terrain": "prairie", "cost": {"pumpkin": 1, "large_copper": 1}, "cow": true, "double": false, "canteen": false}, {"at": [1, -1], "terrain": "prairie", "cost": {"wheat": 2, "pumpkin": 2}, "cow": false, "double": false, "canteen": false}], "C": [{"at": [0, 0], "terrain": "lake", "cost": {}, "cow": false, "double": false, "canteen": true}, {"at": [1, 0], "terrain": "prairie", "cost": {"wheat": 1, "copper": 3}, "cow": false, "double": false, "canteen": false}, {"at": [0, 1], "terrain": "prairie", "cost": {"pumpkin": 2, "copper": 1, "stone": 1}, "cow": true, "double": false, "canteen": false}, {"at": [-1, 1], "terrain": "prairie", "cost": {"wheat": 2, "stone": 2}, "cow": false, "double": false, "canteen": false}, {"at": [-1, 0], "terrain": "prairie", "cost": {"stone": 1, "large_copper": 1}, "cow": false, "double": false, "canteen": false}, {"at": [0, -1], "terrain": "prairie", "cost": {"pumpkin": 1, "stone": 2}, "cow": false, "double": false, "canteen": false}, {"at": [1, -1], "terrain": "prairie", "cost": {"wheat": 1, "large_stone": 1}, "cow": true, "double": false, "canteen": false}], "D": [{"at": [0, 0], "terrain": "prairie", "cost": {"wheat": 1, "pumpkin": 1, "large_copper": 1}, "cow": false, "double": true, "canteen": false}, {"at": [1, 0], "terrain": "prairie", "cost": {"wheat": 1, "copper": 2, "stone": 1}, "cow": false, "double": false, "canteen": false}, {"at": [0, 1], "terrain": "prairie", "cost": {"wheat": 2, "stone": 2}, "cow": false, "double": false, "canteen": false}, {"at": [-1, 1], "terrain": "prairie", "cost": {"wheat": 1, "pumpkin": 2}, "cow": true, "double": false, "canteen": false}, {"at": [-1, 0], "terrain": "prairie", "cost": {"large_stone": 1}, "cow": false, "double": false, "canteen": false}, {"at": [0, -1], "terrain": "prairie", "cost": {"wheat": 2, "large_copper": 1}, "cow": false, "double": false, "canteen": false}, {"at": [1, -1], "terrain": "lake", "cost": {}, "cow": false, "double": false, "canteen": true}], "E": [{"at": [0, 0], "terrain": "lake", "cost": {}, "cow": false, "double": false, "canteen": true}, {"at": [1, 0], "terrain": "prairie", "cost": {"large_copper": 1}, "cow": true, "double": false, "canteen": false}, {"at": [0, 1], "terrain": "prairie", "cost": {"wheat": 1, "pumpkin": 1, "large_stone": 1}, "cow": false, "double": true, "canteen": false}, {"at": [-1, 1], "terrain": "prairie", "cost": {"pumpkin": 2, "copper": 2}, "cow": false, "double": false, "canteen": false}, {"at": [-1, 0], "terrain": "prairie", "cost": {"wheat": 1, "large_stone": 1}, "cow": false, "double": false, "canteen": false}, {"at": [0, -1], "terrain": "prairie", "cost": {"wheat": 1, "pumpkin": 1, "copper": 2}, "cow": false, "double": false, "canteen": false}, {"at": [1, -1], "terrain": "prairie", "cost": {"pumpkin": 2, "stone": 2}, "cow": false, "double": false, "canteen": false}], "F": [{"at": [0, 0], "terrain": "prairie", "cost": {"wheat": 1, "copper": 2, "stone": 1}, "cow": false, "double": false, "canteen": false}, {"at": [1, 0], "terrain": "lake", "cost": {}, "cow": false, "double": false, "canteen": true}, {"at": [0, 1], "terrain": "prairie", "cost": {"large_stone": 2}, "cow": true, "double": false, "canteen": false}, {"at": [-1, 1], "terrain": "prairie", "cost": {"pumpkin": 1, "copper": 3}, "cow": false, "double": false, "canteen": false}, {"at": [-1, 0], "terrain": "mountain", "cost": {}, "cow": false, "double": false, "canteen": false}, {"at": [0, -1], "terrain": "prairie", "cost": {"wheat": 2, "pumpkin": 2}, "cow": true, "double": false, "canteen": false}, {"at": [1, -1], "terrain": "prairie", "cost": {"stone": 1, "large_copper": 1}, "cow": false, "double": false, "canteen": false}], "G": [{"at": [0, 0], "terrain": "mountain", "cost": {}, "cow": false, "double": false, "canteen": false}, {"at": [1, 0], "terrain": "prairie", "cost": {"wheat": 1, "large_copper": 1}, "cow": true, "double": false, "canteen": false}, {"at": [0, 1], "terrain": "prairie", "cost": {"pumpkin": 2, "copper": 2}, "cow": false, "double": false, "canteen": false}, {"at": [-1, 1], "terrain": "prairie", "cost": {"pumpkin": 1, "large_stone": 1}, "cow": false, "double": false, "canteen": false}, {"at": [-1, 0], "terrain": "prairie", "cost": {"wheat": 2, "pumpkin": 1}, "cow": false, "double": false, "canteen": false}, {"at": [0, -1], "terrain": "prairie", "cost": {"wheat": 1, "copper": 1, "stone": 2}, "cow": true, "double": false, "canteen": false}, {"at": [1, -1], "terrain": "prairie", "cost": {"pumpkin": 2, "stone": 1}, "cow": false, "double": true, "canteen": false}], "H": [{"at": [0, 0], "terrain": "prairie", "cost": {"large_copper": 1, "large_stone": 1}, "cow": false, "double": true, "canteen": false}, {"at": [1, 0], "terrain": "prairie", "cost": {"wheat": 2, "pumpkin": 2}, "cow": false, "double": false, "canteen": false}, {"at": [0, 1], "terrain": "prairie", "cost": {"large_stone": 1}, "cow": false, "double": false, "canteen": false}, {"at": [-1, 1], "terrain": "prairie", "cost": {"pumpkin": 1, "copper": 3}, "cow": false, "double": false, "canteen": false}, {"at": [-1, 0], "terrain": "prairie", "cost": {"wheat": 2, "copper": 2}, "cow": true, "double": false, "canteen": false}, {"at": [0, -1], "terrain": "mountain", "cost": {}, "cow": false, "double": false, "canteen": false}, {"at": [1, -1], "terrain": "prairie", "cost": {"copper": 1, "large_copper": 1}, "cow": false, "double": false, "canteen": false}], "I": [{"at": [0, 0], "terrain": "prairie", "cost": {"wheat": 2, "stone": 2}, "cow": false, "double": false, "canteen": false}, {"at": [1, 0], "terrain": "prairie", "cost": {"wheat": 1, "large_stone": 1}, "cow": true, "double": false, "canteen": false}, {"at": [0, 1], "terrain": "prairie", "cost": {"wheat": 1, "stone": 2}, "cow": false, "double": false, "canteen": false}, {"at": [-1, 1], "terrain": "prairie", "cost": {"wheat": 2, "stone": 2}, "cow": false, "double": false, "canteen": false}, {"at": [-1, 0], "terrain": "prairie", "cost": {"pumpkin": 2, "large_stone": 1}, "cow": false, "double": true, "canteen": false}, {"at": [0, -1], "terrain": "prairie", "cost": {"pumpkin": 2, "copper": 2}, "cow": false, "double": false, "canteen": false}, {"at": [1, -1], "terrain": "prairie", "cost": {"pumpkin": 2, "stone": 2}, "cow": false, "double": false, "canteen": false}], "J": [{"at": [0, 0], "terrain": "prairie", "cost": {"wheat": 2, "pumpkin": 1, "copper": 1}, "cow": false, "double": true, "canteen": false}, {"at": [1, 0], "terrain": "mountain", "cost": {}, "cow": false, "double": false, "canteen": false}, {"at": [0, 1], "terrain": "prairie", "cost": {"wheat": 2, "copper": 1}, "cow": true, "double": false, "canteen": false}, {"at": [-1, 1], "terrain": "prairie", "cost": {"pumpkin": 1, "stone": 3}, "cow": false, "double": false, "canteen": false}, {"at": [-1, 0], "terrain": "mountain", "cost": {}, "cow": false, "double": false, "canteen": false}, {"at": [0, -1], "terrain": "prairie", "cost": {"large_copper": 1}, "cow": true, "double": false, "canteen": false}, {"at": [1, -1], "terrain": "prairie", "cost": {"large_stone": 1}, "cow": false, "double": false, "canteen": false}], "K": [{"at": [0, 0], "terrain": "mountain", "cost": {}, "cow": false, "double": false, "canteen": false}, {"at": [1, 0], "terrain": "prairie", "cost": {"wheat": 2, "stone": 1}, "cow": false, "double": false, "canteen": false}, {"at": [0, 1], "terrain": "prairie", "cost": {"pumpkin": 2, "copper": 2}, "cow": false, "double": false, "canteen": false}, {"at": [-1, 1], "terrain": "prairie", "cost": {"wheat": 1, "copper": 2, "stone": 1}, "cow": false, "double": false, "canteen": false}, {"at": [-1, 0], "terrain": "prairie", "cost": {"wheat": 1, "large_copper": 1}, "cow": false, "double": false, "canteen": false}, {"at": [0, -1], "terrain": "prairie", "cost": {"pumpkin": 2, "copper": 1}, "cow": true, "double": false, "canteen": false}, {"at": [1, -1], "terrain": "prairie", "cost": {"pumpkin": 1, "large_copper": 1, "large_stone": 1}, "cow": false, "double": true, "canteen": false}], "L": [{"at": [0, 0], "terrain": "prairie", "cost": {"pumpkin": 2, "copper": 1, "stone": 1}, "cow": false, "double": true, "canteen": false}, {"at": [1, 0], "terrain": "prairie", "cost": {"pumpkin": 1, "copper": 2}, "cow": true, "double": false, "canteen": false}, {"at": [0, 1], "terrain": "prairie", "cost": {"pumpkin": 1, "copper": 1, "stone": 2}, "cow": false, "double": false, "canteen": false}, {"at": [-1, 1], "terrain": "prairie", "cost": {"large_copper": 1}, "cow": false, "double": false, "canteen": false}, {"at": [-1, 0], "terrain": "prairie", "cost": {"copper": 1, "large_stone": 1}, "cow": false, "double": false, "canteen": false}, {"at": [0, -1], "terrain": "mountain", "cost": {}, "cow": false, "double": false, "canteen": false}, {"at": [1, -1], "terrain": "prairie", "cost": {"pumpkin": 1, "large_stone": 1}, "cow": true, "double": false, "canteen": false}]}, "provenance": "reconstructed", "note": "Designed by us: nobody could read the hexes off the box; balanced by simulation (docs/decisions/0011). The build example of the rulebook names two of them (tile A)."}, "layouts": {"value": {"2": {"centres": [[0, 0], [2, 1], [-1, 3], [-3, 2], [-2, -1], [1, -3], [3, -2]], "middle": [[0, 0]]}, "3": {"centres": [[-1, -4], [1, -3], [3, -2], [-2, -1], [0, 0], [2, 1], [-3, 2], [-1, 3], [1, 4]], "middle": [[0, 0]]}, "4": {"centres": [[1, -3], [3, -2], [5, -1], [-2, -1], [0, 0], [2, 1], [4, 2], [-3, 2], [-1, 3], [1, 4]], "middle": [[1, 0], [1, 1]]}}, "provenance": "reconstructed", "note": "Compact; the number of tiles (7, 9, 10) stands in the rulebook."}, "bank": {"value": [{"workers": 1, "coins": 4}, {"workers": 2, "coins": 8}, {"workers": 2, "coins": 8}, {"workers": 3, "coins": 12}], "provenance": "reconstructed", "note": "Two workers for 8 coins stand in a rulebook example."}, "prices": {"value": {"mine": [1, 3, 6], "quarry": [1, 3, 6], "field": [1, 3, 6], "garden": [1, 3, 6]}, "provenance": "reported", "note": ""}, "yields": {"value": {"mine": [1, 2, 3], "quarry": [1, 2, 3], "field": [2, 3, 4], "garden": [2, 3, 4]}, "provenance": "reconstructed", "note": "Six coins for 4 wheat stand in a rulebook example."}, "small_box": {"value": 1, "provenance": "reconstructed", "note": "One wheat more stands in a rulebook example."}, "shop_rows": {"value": [{"cows": 1, "coins": 0, "goods": 0, "upgrades": 3}, {"cows": 0, "coins": 0, "goods": 3, "upgrades": 0}, {"cows": 0, "coins": 0, "goods": 0, "upgrades": 2}, {"cows": 0, "coins": 2, "goods": 0, "upgrades": 1}], "provenance": "rulebook", "note": ""}, "shop_columns": {"value": [2, 3, 4, 5], "provenance": "reconstructed", "note": "That a column costs pumpkins, and that one moves to the right, stands in the rulebook; costs from 1 would make the town a free turn for who opens it."}, "wheel": {"value": [["stone", "pumpkin"], ["any", "any"], ["pumpkin", "pumpkin"], ["stone", "copper"], ["wheat", "wheat"], ["any", "any"], ["copper", "copper"], ["wheat", "stone"]], "provenance": "reconstructed", "note": "Eight segments are reported; the first and the third stand in a rulebook example."}, "workers": {"value": {"wheat": 18, "pumpkin": 18, "copper": 18, "stone": 18}, "provenance": "rulebook", "note": "72 workers."}, "supplies": {"value": {"2": {"wheat": 10, "pumpkin": 10, "copper": 10, "stone": 10, "large_copper": 6, "large_stone": 6}, "3": {"wheat": 15, "pumpkin": 15, "copper": 15, "stone": 15, "large_copper": 9, "large_stone": 9}, "4": {"wheat": 20, "pumpkin": 20, "copper": 20, "stone": 20, "large_copper": 12, "large_stone": 12}}, "provenance": "rulebook", "note": ""}, "goods": {"value": {"wheat": 1, "pumpkin": 1, "copper": 1, "stone": 1, "large_copper": 0, "large_stone": 0}, "provenance": "rulebook", "note": "From the box, not from the supply."}, "settlements": {"value": {"2": 12, "3": 10, "4": 8}, "provenance": "rulebook", "note": ""}, "coins": {"value": [3, 4, 5, 6], "provenance": "rulebook", "note": "By turn order."}, "cows": {"value": 24, "provenance": "rulebook", "note": ""}, "start_cows": {"value": 1, "provenance": "rulebook", "note": ""}, "canteens": {"value": 6, "provenance": "rulebook", "note": ""}, "cow_price": {"value": 3, "provenance": "rulebook", "note": ""}}','{}','Montana','running','ve46h6mp72fn','2026-11-21 12:02:00.000000','2026-11-21 12:02:00.000000',NULL,12,X'1C5AFFCD94CD1D04458C8FD3A99CBCAF210E8595D79347CC497D90E4844B10B6','f4752531a9c133d58b3fb9404ab8775214b3773ad43a35ffae28d1c75329f814',NULL,'3f0ec50f62db25833afab8f76b94eaa114d32ef27c2abd4ed3bc1f9b921cc1b9');
INSERT INTO "matches" VALUES('mo633abw4p','ozeanien',1,'standard','{"name": "standard", "board": {"value": {"columns": 7, "rows": 5}, "provenance": "reconstructed", "note": "35 spaces are reported; which way the board lies is our choice. The option `upright` turns it."}, "circles": {"value": ["west", "south", "east"], "provenance": "reported", "note": "One before every border space on three sides; the rulebook says that there is none at the top."}, "sea_tiles": {"value": {"sea": 9, "cape": 6, "coast": 5, "strait": 12, "bay": 3, "inland": 0}, "provenance": "reconstructed", "note": "35 tiles are stated by the rulebook, the five kinds are reported; how many of each was designed by simulation (docs/decisions/0010)."}, "removed": {"value": 3, "provenance": "rulebook", "note": "Sea tiles that leave the match unseen."}, "reserve_tiles": {"value": {"sea": 3, "cape": 6, "coast": 5, "strait": 3, "bay": 5, "inland": 3}, "provenance": "reconstructed", "note": "25 tiles in six stacks are stated by the rulebook; how many of each was designed by simulation (docs/decisions/0010)."}, "explorers": {"value": {"1": 5, "2": 2, "3": 1}, "provenance": "reported", "note": "8 for each seat are stated by the rulebook; how many of each value is reported."}}','{"upright": false}','Ozeanien','finished','x7pmpvytucei','2026-11-21 12:03:00.000000','2026-11-21 12:03:00.000000','2026-11-21 12:03:00.000000',6,X'D63251963521657DF9B50B00012AB912E2B93A64431C24EE4E8D44EDB6F09BED','84f4acb22dc6e20ab8a0a0e0a1063d1d70574aa1ae058ca2d87bec969d8fc829','{"scores": [0, 0], "ranks": [2, 1], "ended": "The match ended by resignation.", "details": []}','72ea71a74a35d82688be222692ab0e58ebb44e32753fcd3b6a27106ee472eaca');
INSERT INTO "matches" VALUES('kiay5u6ahp','oregon',1,'standard','{"name": "standard", "columns": {"value": ["wagon", "bison", "settler", "eagle", "campfire"], "provenance": "reported", "note": "Each symbol heads three columns. Reviewers agree on the order along one edge."}, "rows": {"value": ["wagon", "bison", "settler", "eagle", "campfire"], "provenance": "reconstructed", "note": "Each symbol heads two rows. The order of the other edge is taken to be the same."}, "terrain": {"value": [".^^^^.=......^^", "..^^..=...~~...", "....^.=....~~..", "....^.=.^^..~~.", "====..=..^...~.", "....====......^", "^.......=...^^^", "^^.~~....=....^", "..~~~..^^.=====", "...~..^^^^....."], "provenance": "reconstructed", "note": "Drawn by us to what reviewers report: two lakes, one railway with three arms, several mountain groups, prairie in the majority."}, "landscape_cards": {"value": {"wagon": 10, "bison": 10, "settler": 10, "eagle": 10, "campfire": 10}, "provenance": "rulebook", "note": "50 cards."}, "building_cards": {"value": {"post_office": 3, "harbour": 3, "church": 3, "coal_mine": 3, "gold_mine": 3, "warehouse": 3, "station": 3}, "provenance": "rulebook", "note": "21 cards."}, "building_tiles": {"value": {"post_office": 4, "harbour": 4, "church": 4, "coal_mine": 4, "gold_mine": 4, "warehouse": 4, "station": 4}, "provenance": "rulebook", "note": "28 tiles."}, "start_tiles": {"value": {"post_office": 1, "harbour": 1, "church": 1, "coal_mine": 1, "gold_mine": 1, "warehouse": 1, "station": 1}, "provenance": "rulebook", "note": "7 tiles with a red back."}, "farmers": {"value": 14, "provenance": "rulebook", "note": "Of each colour: 15, one of which counts the points."}, "coal_tokens": {"value": {"1": 7, "2": 7, "3": 7}, "provenance": "rulebook", "note": "21 tokens, by value."}, "gold_tokens": {"value": {"3": 7, "4": 7, "5": 7}, "provenance": "rulebook", "note": "21 tokens, by value."}}','{"discard_duplicates": false}','Come and play','open','keucrlbqbncc','2026-11-21 12:03:00.000000',NULL,NULL,0,X'4261EFF402FE3A77D17B33F4A24FBFC61BA2F262184230CAA09A44407904DEE9','6fce48d4a0e35a9e81358607977816b31b24f5af102112ae59ffc197eb8805c3',NULL,'1b1d3deef520d9c6a40ad6da13ca7e435bd33051f5ec2d632a23b55b6d9d0c8e');
CREATE TABLE outbox (
	id TEXT NOT NULL, 
	match_id TEXT, 
	player_id TEXT, 
	address TEXT, 
	kind TEXT NOT NULL, 
	payload JSON NOT NULL, 
	created_at DATETIME NOT NULL, 
	status TEXT NOT NULL, 
	attempts INTEGER NOT NULL, 
	next_attempt_at DATETIME NOT NULL, 
	sent_at DATETIME, 
	last_error TEXT, 
	leased_until DATETIME, leased_by TEXT, 
	CONSTRAINT pk_outbox PRIMARY KEY (id), 
	CONSTRAINT fk_outbox_match_id FOREIGN KEY(match_id) REFERENCES matches (id), 
	CONSTRAINT fk_outbox_player_id FOREIGN KEY(player_id) REFERENCES players (id)
);
INSERT INTO "outbox" VALUES('0fa922dae5e841fd86ae538ef8ed6d71',NULL,'keucrlbqbncc',NULL,'confirm_address','{"expires_at": "2026-11-23T12:00:00+00:00"}','2026-11-21 12:00:00.000000','sent',1,'2026-11-21 12:00:00.000000','2026-11-21 12:02:00.000000',NULL,NULL,NULL);
INSERT INTO "outbox" VALUES('7b54f8bf127a4024a75c06b71cd65036',NULL,'4kwtso26pvbw',NULL,'confirm_address','{"expires_at": "2026-11-23T12:00:00+00:00"}','2026-11-21 12:00:00.000000','sent',1,'2026-11-21 12:00:00.000000','2026-11-21 12:02:00.000000',NULL,NULL,NULL);
INSERT INTO "outbox" VALUES('eef55f274ada41e48cb59ecc78fc39e7','cdki2fa6qe','keucrlbqbncc',NULL,'match_started','{"seat": 0, "ply": 10}','2026-11-21 12:00:00.000000','sent',1,'2026-11-21 12:00:00.000000','2026-11-21 12:02:00.000000',NULL,NULL,NULL);
INSERT INTO "outbox" VALUES('26f1bcdb26f6441dac116f493ce63442','cdki2fa6qe','4kwtso26pvbw',NULL,'match_started','{"seat": 1, "ply": 10}','2026-11-21 12:00:00.000000','sent',1,'2026-11-21 12:00:00.000000','2026-11-21 12:02:00.000000',NULL,NULL,NULL);
INSERT INTO "outbox" VALUES('780e822cf804466f9ba15f09721a3e31','cdki2fa6qe','keucrlbqbncc',NULL,'your_turn','{"seat": 0, "ply": 10}','2026-11-21 12:00:00.000000','sent',1,'2026-11-21 12:00:00.000000','2026-11-21 12:02:00.000000',NULL,NULL,NULL);
INSERT INTO "outbox" VALUES('f292c9e9bc7f4db1947eca1cd85366ea','cdki2fa6qe','4kwtso26pvbw',NULL,'your_turn','{"seat": 1, "ply": 11}','2026-11-21 12:01:00.000000','pending',1,'2026-11-21 12:01:00.000000',NULL,NULL,'2026-11-21 12:03:06.000000','a process that died');
INSERT INTO "outbox" VALUES('3b01ec75a855481c969a5339d786918f','cdki2fa6qe','keucrlbqbncc',NULL,'verdict','{"seat": 0, "ply": 11, "turn_id": "576lhhggt42puzcv5zyp"}','2026-11-21 12:01:00.000000','sent',1,'2026-11-21 12:01:00.000000','2026-11-21 12:02:00.000000',NULL,NULL,NULL);
INSERT INTO "outbox" VALUES('94c5982a94454db3a6faa115cee91d0b','cdki2fa6qe','keucrlbqbncc',NULL,'your_turn','{"seat": 0, "ply": 12}','2026-11-21 12:01:00.000000','sent',1,'2026-11-21 12:01:00.000000','2026-11-21 12:02:00.000000',NULL,NULL,NULL);
INSERT INTO "outbox" VALUES('03539b1833384e4d87e8df4628ba7ce9','cdki2fa6qe','4kwtso26pvbw',NULL,'verdict','{"seat": 1, "ply": 12, "turn_id": "fzkz7mm6xfee4ze27vlr"}','2026-11-21 12:01:00.000000','sent',1,'2026-11-21 12:01:00.000000','2026-11-21 12:02:00.000000',NULL,NULL,NULL);
INSERT INTO "outbox" VALUES('9797fd74451c4f2caa0f987411625013','cdki2fa6qe','keucrlbqbncc',NULL,'verdict','{"seat": 0, "ply": 13, "turn_id": "ea7uq5n32gijhsine5lo"}','2026-11-21 12:01:00.000000','sent',1,'2026-11-21 12:01:00.000000','2026-11-21 12:02:00.000000',NULL,NULL,NULL);
INSERT INTO "outbox" VALUES('39179fc2ea694d8897730cd0662f8e28','cdki2fa6qe','4kwtso26pvbw',NULL,'your_turn','{"seat": 1, "ply": 15}','2026-11-21 12:01:00.000000','sent',1,'2026-11-21 12:01:00.000000','2026-11-21 12:02:00.000000',NULL,NULL,NULL);
INSERT INTO "outbox" VALUES('cf697cb35a5e402a9c0f38be7062b4e5','cdki2fa6qe','keucrlbqbncc',NULL,'verdict','{"seat": 0, "ply": 15, "turn_id": "s4n5qrqaofazfpxrkqrz"}','2026-11-21 12:01:00.000000','dead',1,'2026-11-21 12:01:00.000000',NULL,'550 no such mailbox',NULL,NULL);
INSERT INTO "outbox" VALUES('75f257dfbd51482ba338d482aa59d10e','cdki2fa6qe','keucrlbqbncc',NULL,'verdict','{"seat": 0, "ply": 15, "turn_id": "drhiyqry5otqqworp6w4"}','2026-11-21 12:01:00.000000','sent',1,'2026-11-21 12:01:00.000000','2026-11-21 12:02:00.000000',NULL,NULL,NULL);
INSERT INTO "outbox" VALUES('3f8bd1de4da14ecba259a6d757c2e5ba',NULL,'ve46h6mp72fn',NULL,'confirm_address','{"token": "qkgkxaroaktqc7z7dibyien52ie5swcb", "expires_at": "2026-11-23T12:02:00+00:00"}','2026-11-21 12:02:00.000000','pending',0,'2026-11-21 12:02:00.000000',NULL,NULL,NULL,NULL);
INSERT INTO "outbox" VALUES('3b0ee2131d9a4658a21a6892a6f7bca0',NULL,'qhdfbgjjyjqf',NULL,'confirm_address','{"token": "laiaxrgp5d2np2mqw7k2wumlbecxifc2", "expires_at": "2026-11-23T12:02:00+00:00"}','2026-11-21 12:02:00.000000','pending',0,'2026-11-21 12:02:00.000000',NULL,NULL,NULL,NULL);
INSERT INTO "outbox" VALUES('b7933f04d71c4dc788ca77e754f6f532','b24uxzeqq2','ve46h6mp72fn',NULL,'match_started','{"seat": 0, "ply": 12}','2026-11-21 12:02:00.000000','pending',0,'2026-11-21 12:02:00.000000',NULL,NULL,NULL,NULL);
INSERT INTO "outbox" VALUES('00b09b3fcdd348368f7fb40464fd0f2e','b24uxzeqq2','qhdfbgjjyjqf',NULL,'match_started','{"seat": 1, "ply": 12}','2026-11-21 12:02:00.000000','pending',0,'2026-11-21 12:02:00.000000',NULL,NULL,NULL,NULL);
INSERT INTO "outbox" VALUES('f606b06267614c5197e9fd15710d54c7','b24uxzeqq2','ve46h6mp72fn',NULL,'your_turn','{"seat": 0, "ply": 12}','2026-11-21 12:02:00.000000','pending',0,'2026-11-21 12:02:00.000000',NULL,NULL,NULL,NULL);
INSERT INTO "outbox" VALUES('d33a7eddf1b84b268f2991aa2d56ca07',NULL,'x7pmpvytucei',NULL,'confirm_address','{"token": "xjsabivwvjqood4g75ao26oig6gseq6e", "expires_at": "2026-11-23T12:03:00+00:00"}','2026-11-21 12:03:00.000000','pending',0,'2026-11-21 12:03:00.000000',NULL,NULL,NULL,NULL);
INSERT INTO "outbox" VALUES('e31cb510609f4c28b0a459887d930ec0',NULL,'ay2d5w4jlm7s',NULL,'confirm_address','{"token": "lnibd2j5hiqgl64zu56rxbxoyujb5epk", "expires_at": "2026-11-23T12:03:00+00:00"}','2026-11-21 12:03:00.000000','pending',0,'2026-11-21 12:03:00.000000',NULL,NULL,NULL,NULL);
INSERT INTO "outbox" VALUES('b76c0201c5c643608c13c75a899ade31','mo633abw4p','x7pmpvytucei',NULL,'match_started','{"seat": 0, "ply": 0}','2026-11-21 12:03:00.000000','pending',0,'2026-11-21 12:03:00.000000',NULL,NULL,NULL,NULL);
INSERT INTO "outbox" VALUES('100e4612ac294a668266348a3b67e95b','mo633abw4p','ay2d5w4jlm7s',NULL,'match_started','{"seat": 1, "ply": 0}','2026-11-21 12:03:00.000000','pending',0,'2026-11-21 12:03:00.000000',NULL,NULL,NULL,NULL);
INSERT INTO "outbox" VALUES('22ed8506ddfc4e3aa0162917dfa30ff2','mo633abw4p','x7pmpvytucei',NULL,'your_turn','{"seat": 0, "ply": 0}','2026-11-21 12:03:00.000000','pending',0,'2026-11-21 12:03:00.000000',NULL,NULL,NULL,NULL);
INSERT INTO "outbox" VALUES('bedb2fd13ee2490c9d63f62c7f74c85e','mo633abw4p','x7pmpvytucei',NULL,'verdict','{"seat": 0, "ply": 2, "turn_id": "qsmhtajo6u4phh6wjapv"}','2026-11-21 12:03:00.000000','pending',0,'2026-11-21 12:03:00.000000',NULL,NULL,NULL,NULL);
INSERT INTO "outbox" VALUES('93b8f810643b4a9b97d397a77ff22b07','mo633abw4p','x7pmpvytucei',NULL,'verdict','{"seat": 0, "ply": 3, "turn_id": "niv5hbknvgzxqg7j2hhy"}','2026-11-21 12:03:00.000000','pending',0,'2026-11-21 12:03:00.000000',NULL,NULL,NULL,NULL);
INSERT INTO "outbox" VALUES('7c91157f34f644b8abd190395c4758a7','mo633abw4p','ay2d5w4jlm7s',NULL,'your_turn','{"seat": 1, "ply": 4}','2026-11-21 12:03:00.000000','pending',0,'2026-11-21 12:03:00.000000',NULL,NULL,NULL,NULL);
INSERT INTO "outbox" VALUES('7044840b56b845c7873c98fc22090d7e','mo633abw4p','x7pmpvytucei',NULL,'verdict','{"seat": 0, "ply": 4, "turn_id": "j6pfhnv6emg7ebbm44x7"}','2026-11-21 12:03:00.000000','pending',0,'2026-11-21 12:03:00.000000',NULL,NULL,NULL,NULL);
INSERT INTO "outbox" VALUES('1cb6ba74b51246ae8639a984a70863c9','mo633abw4p','ay2d5w4jlm7s',NULL,'verdict','{"seat": 1, "ply": 6, "turn_id": "5kf5xbvmlkfail6d6gl2"}','2026-11-21 12:03:00.000000','pending',0,'2026-11-21 12:03:00.000000',NULL,NULL,NULL,NULL);
INSERT INTO "outbox" VALUES('4122263851cb49e186352375ed78bd16','mo633abw4p','x7pmpvytucei',NULL,'match_over','{"seat": 0, "ply": 6}','2026-11-21 12:03:00.000000','pending',0,'2026-11-21 12:03:00.000000',NULL,NULL,NULL,NULL);
INSERT INTO "outbox" VALUES('583d40ac6b4a4ae2a7f4967aa6d08cd4','mo633abw4p','ay2d5w4jlm7s',NULL,'match_over','{"seat": 1, "ply": 6}','2026-11-21 12:03:00.000000','pending',0,'2026-11-21 12:03:00.000000',NULL,NULL,NULL,NULL);
INSERT INTO "outbox" VALUES('2d7e5ba62ac5460ab8829d56398bb1da','kiay5u6ahp',NULL,'gil@example.org','invitation','{"seat": 1}','2026-11-21 12:03:00.000000','pending',0,'2026-11-21 12:03:00.000000',NULL,NULL,NULL,NULL);
CREATE TABLE players (
	id TEXT NOT NULL, 
	name TEXT NOT NULL, 
	email TEXT NOT NULL, 
	confirmed_at DATETIME, 
	created_at DATETIME NOT NULL, 
	preferences JSON NOT NULL, 
	CONSTRAINT pk_players PRIMARY KEY (id), 
	CONSTRAINT uq_players_email UNIQUE (email)
);
INSERT INTO "players" VALUES('keucrlbqbncc','Ada','ada@example.org','2026-11-21 12:00:00.000000','2026-11-21 12:00:00.000000','{}');
INSERT INTO "players" VALUES('4kwtso26pvbw','Bela','bela@example.org','2026-11-21 12:00:00.000000','2026-11-21 12:00:00.000000','{}');
INSERT INTO "players" VALUES('ve46h6mp72fn','Cleo','cleo@example.org','2026-11-21 12:02:00.000000','2026-11-21 12:02:00.000000','{}');
INSERT INTO "players" VALUES('qhdfbgjjyjqf','Dora','dora@example.org','2026-11-21 12:02:00.000000','2026-11-21 12:02:00.000000','{}');
INSERT INTO "players" VALUES('x7pmpvytucei','Emil','emil@example.org','2026-11-21 12:03:00.000000','2026-11-21 12:03:00.000000','{}');
INSERT INTO "players" VALUES('ay2d5w4jlm7s','Fay','fay@example.org','2026-11-21 12:03:00.000000','2026-11-21 12:03:00.000000','{}');
CREATE TABLE seats (
	match_id TEXT NOT NULL, 
	seat INTEGER NOT NULL, 
	player_id TEXT, 
	invited_email TEXT, 
	invited_at DATETIME, 
	nonce TEXT, 
	joined_at DATETIME, 
	resigned_at DATETIME, 
	resigned_ply INTEGER, 
	to_act BOOLEAN NOT NULL, 
	CONSTRAINT pk_seats PRIMARY KEY (match_id, seat), 
	CONSTRAINT uq_seats_match_id_player_id UNIQUE (match_id, player_id), 
	CONSTRAINT fk_seats_match_id FOREIGN KEY(match_id) REFERENCES matches (id), 
	CONSTRAINT fk_seats_player_id FOREIGN KEY(player_id) REFERENCES players (id)
);
INSERT INTO "seats" VALUES('cdki2fa6qe',0,'keucrlbqbncc',NULL,NULL,'mmdubcgfkbaedla3teilld37op','2026-11-21 12:00:00.000000',NULL,NULL,0);
INSERT INTO "seats" VALUES('cdki2fa6qe',1,'4kwtso26pvbw',NULL,NULL,'3wilfyrykhz73z2xhqlaaiiw6o','2026-11-21 12:00:00.000000',NULL,NULL,1);
INSERT INTO "seats" VALUES('b24uxzeqq2',0,'ve46h6mp72fn',NULL,NULL,'ampqgqaicmbajhsqyvw4mk7exu','2026-11-21 12:02:00.000000',NULL,NULL,1);
INSERT INTO "seats" VALUES('b24uxzeqq2',1,'qhdfbgjjyjqf',NULL,NULL,'vwhaeld2ruuvpazxqrvcxicixg','2026-11-21 12:02:00.000000',NULL,NULL,0);
INSERT INTO "seats" VALUES('mo633abw4p',0,'x7pmpvytucei',NULL,NULL,'oegckchis4xnnqmkbi6equ3gih','2026-11-21 12:03:00.000000','2026-11-21 12:03:00.000000',6,0);
INSERT INTO "seats" VALUES('mo633abw4p',1,'ay2d5w4jlm7s',NULL,NULL,'237hdeqv6xuyorbzh5ujeiuwdc','2026-11-21 12:03:00.000000',NULL,NULL,0);
INSERT INTO "seats" VALUES('kiay5u6ahp',0,'keucrlbqbncc',NULL,NULL,'2nbpl5gl4anzybbc5ix4ki6tiw','2026-11-21 12:03:00.000000',NULL,NULL,0);
INSERT INTO "seats" VALUES('kiay5u6ahp',1,NULL,'gil@example.org','2026-11-21 12:03:00.000000',NULL,NULL,NULL,NULL,0);
CREATE TABLE tokens (
	id TEXT NOT NULL, 
	player_id TEXT NOT NULL, 
	token_hash TEXT NOT NULL, 
	label TEXT NOT NULL, 
	scopes JSON NOT NULL, 
	created_at DATETIME NOT NULL, 
	revoked_at DATETIME, 
	CONSTRAINT pk_tokens PRIMARY KEY (id), 
	CONSTRAINT uq_tokens_token_hash UNIQUE (token_hash), 
	CONSTRAINT fk_tokens_player_id FOREIGN KEY(player_id) REFERENCES players (id)
);
INSERT INTO "tokens" VALUES('xj7dnyepbvys','keucrlbqbncc','8328d9ed3661f5a4a68625fe025b3d7d9ea29226614f434abd91eec2d7f46bd4','signed in by mail','["play", "read", "account"]','2026-11-21 12:00:00.000000',NULL);
INSERT INTO "tokens" VALUES('ls6wqtvb4y3z','4kwtso26pvbw','2a2eb47e19857835b4bca4a488bed420d176b7ccead6a1a0bffe93b6130b85ef','signed in by mail','["play", "read", "account"]','2026-11-21 12:00:00.000000',NULL);
INSERT INTO "tokens" VALUES('uzc3c3okr5ie','ve46h6mp72fn','18a24ba553a37fdfed0f048355ccfc6cf50eaad0c44d0a0bd9b76147e67edc86','signed in by mail','["play", "read", "account"]','2026-11-21 12:02:00.000000',NULL);
INSERT INTO "tokens" VALUES('jofoi67rh6jl','qhdfbgjjyjqf','f97cba4c8bed81657cb12236664188c87fbc9cebc820d5ddb12e4f7e29f5bc87','signed in by mail','["play", "read", "account"]','2026-11-21 12:02:00.000000',NULL);
INSERT INTO "tokens" VALUES('h4paapojelk2','x7pmpvytucei','83f7ece48c034ba9c5da433b589838d5d9382a8de6901894887c191867dc8595','signed in by mail','["play", "read", "account"]','2026-11-21 12:03:00.000000',NULL);
INSERT INTO "tokens" VALUES('ujrmffg4ph57','ay2d5w4jlm7s','b53d03eccaba9c80a86574042ac518443c128b3b246501e15bebaa2be7ab989f','signed in by mail','["play", "read", "account"]','2026-11-21 12:03:00.000000',NULL);
CREATE TABLE turns (
	id TEXT NOT NULL, 
	match_id TEXT NOT NULL, 
	seat INTEGER NOT NULL, 
	player_id TEXT NOT NULL, 
	ply INTEGER NOT NULL, 
	document JSON NOT NULL, 
	idempotency_key TEXT, 
	fingerprint TEXT NOT NULL, 
	status TEXT NOT NULL, 
	verdict JSON, 
	submitted_at DATETIME NOT NULL, 
	judged_at DATETIME, 
	CONSTRAINT pk_turns PRIMARY KEY (id), 
	CONSTRAINT uq_turns_player_id_idempotency_key UNIQUE (player_id, idempotency_key), 
	CONSTRAINT fk_turns_match_id_seat FOREIGN KEY(match_id, seat) REFERENCES seats (match_id, seat), 
	CONSTRAINT fk_turns_player_id FOREIGN KEY(player_id) REFERENCES players (id)
);
INSERT INTO "turns" VALUES('576lhhggt42puzcv5zyp','cdki2fa6qe',0,'keucrlbqbncc',10,'{"actions": [{"type": "start", "space": "J9"}]}',NULL,'4a4fd68b8cd2eebfe59d310568655e605953fa6bbe03a06fa02bf0de4bec892c','accepted','{"status": "accepted", "accepted": 1, "ply_before": 10, "ply_after": 11, "entries": ["Ada places the start tile, a warehouse, on J9."], "violation": null}','2026-11-21 12:01:00.000000','2026-11-21 12:01:00.000000');
INSERT INTO "turns" VALUES('fzkz7mm6xfee4ze27vlr','cdki2fa6qe',1,'4kwtso26pvbw',11,'{"actions": [{"type": "start", "space": "H9"}]}',NULL,'8da61efff2db779b105f6a0a4dbd089abc26597f9eb0ef507397bb9038761383','accepted','{"status": "accepted", "accepted": 1, "ply_before": 11, "ply_after": 12, "entries": ["Bela places the start tile, a gold mine, on H9."], "violation": null}','2026-11-21 12:01:00.000000','2026-11-21 12:01:00.000000');
INSERT INTO "turns" VALUES('ea7uq5n32gijhsine5lo','cdki2fa6qe',0,'keucrlbqbncc',12,'{"actions": [{"type": "farmer", "space": "N3", "cards": ["bison"], "joker": true}]}',NULL,'b8f6cbc3cccd8e464a66f26a6581686032223dbe9f8189a8ec3674029002e383','accepted','{"status": "accepted", "accepted": 1, "ply_before": 12, "ply_after": 13, "entries": ["Ada plays bison and the joker and places a farmer on N3."], "violation": null}','2026-11-21 12:01:00.000000','2026-11-21 12:01:00.000000');
INSERT INTO "turns" VALUES('s4n5qrqaofazfpxrkqrz','cdki2fa6qe',0,'keucrlbqbncc',13,'{"actions": [{"type": "draw", "deck": "landscape"}]}',NULL,'0966392e68cb2b43db10b73cfb19725ec31fe3d8153f295591882038c1f2ac36','accepted','{"status": "accepted", "accepted": 1, "ply_before": 13, "ply_after": 15, "entries": ["Ada draws a bison card."], "violation": null}','2026-11-21 12:01:00.000000','2026-11-21 12:01:00.000000');
INSERT INTO "turns" VALUES('drhiyqry5otqqworp6w4','cdki2fa6qe',0,'keucrlbqbncc',15,'{"actions": [{"type": "farmer", "space": "G3", "cards": ["bison", "settler"], "joker": false}]}','refused-once','bed5058a51e1b56190cb007c418b64cac7addf9f442b5fd15ca22b3bd14ccd01','rejected','{"status": "rejected", "accepted": 0, "ply_before": 15, "ply_after": 15, "entries": [], "violation": {"code": "not_your_turn", "rule": "", "message": "It is not your turn: seat 1 is awaited.", "action_index": 0, "others": [], "legal": [], "legal_total": 0}}','2026-11-21 12:01:00.000000','2026-11-21 12:01:00.000000');
INSERT INTO "turns" VALUES('qsmhtajo6u4phh6wjapv','mo633abw4p',0,'x7pmpvytucei',0,'{"actions": [{"type": "ship", "start": "south D"}]}',NULL,'079d5eebbb05d47124e681745f4b06e50fca90ee64b296a0ad7eb12363d563ae','accepted','{"status": "accepted", "accepted": 1, "ply_before": 0, "ply_after": 2, "entries": ["Emil sails to the circle south D.", "Emil draws a coast tile."], "violation": null}','2026-11-21 12:03:00.000000','2026-11-21 12:03:00.000000');
INSERT INTO "turns" VALUES('niv5hbknvgzxqg7j2hhy','mo633abw4p',0,'x7pmpvytucei',2,'{"actions": [{"type": "place", "space": "D5", "land": "NW"}]}',NULL,'2ce6073f957524d384295f94ce21a963dd5036e9a7366fca524a40feee0f254a','accepted','{"status": "accepted", "accepted": 1, "ply_before": 2, "ply_after": 3, "entries": ["Emil places a coast tile on D5, land on the north and west."], "violation": null}','2026-11-21 12:03:00.000000','2026-11-21 12:03:00.000000');
INSERT INTO "turns" VALUES('j6pfhnv6emg7ebbm44x7','mo633abw4p',0,'x7pmpvytucei',3,'{"actions": [{"type": "explorer", "value": 2, "part": null}]}',NULL,'2b60a5555b0da39450515bacd68397d36ccc2aee1b061ffe00b3f58e25478055','accepted','{"status": "accepted", "accepted": 1, "ply_before": 3, "ply_after": 4, "entries": ["Emil puts an explorer of value 2 on D5."], "violation": null}','2026-11-21 12:03:00.000000','2026-11-21 12:03:00.000000');
INSERT INTO "turns" VALUES('5kf5xbvmlkfail6d6gl2','mo633abw4p',1,'ay2d5w4jlm7s',4,'{"actions": [{"type": "ship", "start": "west 3"}]}',NULL,'68b3481ea6bc749840a62f546f82ff1f94a8cc7069eea82c08874b813b7e5e22','accepted','{"status": "accepted", "accepted": 1, "ply_before": 4, "ply_after": 6, "entries": ["Fay sails to the circle west 3.", "Fay draws a strait tile."], "violation": null}','2026-11-21 12:03:00.000000','2026-11-21 12:03:00.000000');
INSERT INTO "turns" VALUES('np5fzx2ytkklzcgyhcbr','cdki2fa6qe',1,'4kwtso26pvbw',15,'{"actions": [{"type": "farmer", "space": "G3", "cards": ["bison", "settler"], "joker": false}]}','waiting-1','b72155c1858d83e646c831dbbdbb9711489d9ef61db98caa9a86ee33c4e3a22a','queued',NULL,'2026-11-21 12:04:00.000000',NULL);
INSERT INTO "turns" VALUES('k747icdpwohntvx3vd2j','b24uxzeqq2',0,'ve46h6mp72fn',12,'{"actions": [{"type": "recruit"}]}','waiting-2','ba01e84b11335e0e5ab98c8b57aedd87ef9020be36a581aa5f155fe417c98650','queued',NULL,'2026-11-21 12:04:00.000000',NULL);
CREATE INDEX ix_confirmations_player_id ON confirmations (player_id);
CREATE INDEX ix_tokens_player_id ON tokens (player_id);
CREATE INDEX ix_matches_created_by ON matches (created_by);
CREATE INDEX ix_matches_status_created_at ON matches (status, created_at);
CREATE INDEX ix_seats_invited_email ON seats (invited_email);
CREATE INDEX ix_seats_player_id_to_act ON seats (player_id, to_act);
CREATE INDEX ix_turns_status_submitted_at ON turns (status, submitted_at);
CREATE INDEX ix_turns_match_id_player_id_submitted_at ON turns (match_id, player_id, submitted_at);
CREATE INDEX ix_outbox_status_next_attempt_at ON outbox (status, next_attempt_at);
CREATE INDEX ix_turns_judged_at ON turns (judged_at) WHERE judged_at IS NOT NULL;
COMMIT;
