CREATE TABLE answered_mails (
	key TEXT NOT NULL,
	sender TEXT NOT NULL,
	at TIMESTAMP WITH TIME ZONE NOT NULL,
	did TEXT NOT NULL,
	notice_id TEXT,
	CONSTRAINT pk_answered_mails PRIMARY KEY (key)
);
CREATE INDEX ix_answered_mails_sender_at ON answered_mails (sender, at) WHERE notice_id IS NOT NULL;
CREATE TABLE chat_told (
	match_id TEXT NOT NULL,
	player_id TEXT NOT NULL,
	number INTEGER NOT NULL,
	notice_id TEXT NOT NULL,
	CONSTRAINT pk_chat_told PRIMARY KEY (match_id, player_id)
);
CREATE TABLE component_sets (
	digest TEXT NOT NULL,
	added_at TIMESTAMP WITH TIME ZONE NOT NULL,
	document JSON NOT NULL,
	CONSTRAINT pk_component_sets PRIMARY KEY (digest)
);
CREATE TABLE heartbeats (
	part TEXT NOT NULL,
	at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_heartbeats PRIMARY KEY (part)
);
CREATE TABLE maintenance (
	id INTEGER NOT NULL CONSTRAINT ck_maintenance_one_row CHECK (id = 1),
	since TIMESTAMP WITH TIME ZONE NOT NULL,
	expected_end TIMESTAMP WITH TIME ZONE,
	sentence TEXT NOT NULL,
	CONSTRAINT pk_maintenance PRIMARY KEY (id)
);
CREATE TABLE messages (
	id TEXT NOT NULL,
	received_at TIMESTAMP WITH TIME ZONE NOT NULL,
	peer TEXT NOT NULL,
	envelope_from TEXT NOT NULL,
	recipient TEXT NOT NULL,
	size INTEGER NOT NULL,
	raw BYTEA,
	message_id TEXT NOT NULL,
	digest TEXT NOT NULL,
	author TEXT NOT NULL,
	status TEXT NOT NULL,
	reason TEXT DEFAULT '' NOT NULL,
	attempts INTEGER DEFAULT 0 NOT NULL,
	crashes INTEGER DEFAULT 0 NOT NULL,
	next_attempt_at TIMESTAMP WITH TIME ZONE NOT NULL,
	settled_at TIMESTAMP WITH TIME ZONE,
	leased_until TIMESTAMP WITH TIME ZONE,
	leased_by TEXT,
	CONSTRAINT pk_messages PRIMARY KEY (id)
);
CREATE INDEX ix_messages_author ON messages (author) WHERE leased_until IS NOT NULL;
CREATE INDEX ix_messages_settled_at ON messages (settled_at) WHERE raw IS NOT NULL AND settled_at IS NOT NULL;
CREATE INDEX ix_messages_status_next_attempt_at ON messages (status, next_attempt_at);
CREATE TABLE never_again (
	address TEXT NOT NULL,
	at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_never_again PRIMARY KEY (address)
);
CREATE TABLE outages (
	part TEXT NOT NULL,
	start_at TIMESTAMP WITH TIME ZONE NOT NULL,
	end_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_outages PRIMARY KEY (part, start_at)
);
CREATE INDEX ix_outages_end_at ON outages (end_at);
CREATE TABLE players (
	id TEXT NOT NULL,
	name TEXT NOT NULL,
	name_key TEXT,
	email TEXT NOT NULL,
	confirmed_at TIMESTAMP WITH TIME ZONE,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	owner_id TEXT,
	left_at TIMESTAMP WITH TIME ZONE,
	guest_until TIMESTAMP WITH TIME ZONE,
	guest_key TEXT,
	preferences JSON NOT NULL,
	events INTEGER DEFAULT 0 NOT NULL,
	CONSTRAINT pk_players PRIMARY KEY (id),
	CONSTRAINT uq_players_name_key UNIQUE (name_key),
	CONSTRAINT uq_players_email UNIQUE (email),
	CONSTRAINT fk_players_owner_id FOREIGN KEY(owner_id) REFERENCES players (id),
	CONSTRAINT uq_players_guest_key UNIQUE (guest_key)
);
CREATE INDEX ix_players_owner_id ON players (owner_id);
CREATE TABLE pruned_notices (
	subject TEXT NOT NULL,
	kind TEXT NOT NULL,
	number INTEGER NOT NULL,
	CONSTRAINT pk_pruned_notices PRIMARY KEY (subject, kind)
);
CREATE TABLE prunings (
	what TEXT NOT NULL,
	until TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_prunings PRIMARY KEY (what)
);
CREATE TABLE quotas (
	what TEXT NOT NULL,
	subject TEXT NOT NULL,
	day TEXT NOT NULL,
	number INTEGER NOT NULL,
	CONSTRAINT pk_quotas PRIMARY KEY (what, subject, day)
);
CREATE INDEX ix_quotas_day ON quotas (day);
CREATE TABLE sent_texts (
	notice_id TEXT NOT NULL,
	match_id TEXT,
	recipient TEXT NOT NULL,
	texts BYTEA NOT NULL,
	sent_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_sent_texts PRIMARY KEY (notice_id)
);
CREATE INDEX ix_sent_texts_recipient_match_id_sent_at ON sent_texts (recipient, match_id, sent_at);
CREATE INDEX ix_sent_texts_sent_at ON sent_texts (sent_at);
CREATE TABLE set_aside (
	loop TEXT NOT NULL,
	item TEXT NOT NULL,
	attempts INTEGER NOT NULL,
	crashes INTEGER NOT NULL,
	not_before TIMESTAMP WITH TIME ZONE NOT NULL,
	error TEXT NOT NULL,
	kept BOOLEAN NOT NULL,
	CONSTRAINT pk_set_aside PRIMARY KEY (loop, item)
);
CREATE INDEX ix_set_aside_kept_loop ON set_aside (kept, loop);
CREATE TABLE signing_keys (
	number INTEGER NOT NULL,
	secret BYTEA NOT NULL,
	signs_from TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_signing_keys PRIMARY KEY (number)
);
CREATE TABLE address_undos (
	token_hash TEXT NOT NULL,
	player_id TEXT NOT NULL,
	address TEXT NOT NULL,
	as_primary BOOLEAN NOT NULL,
	disputed TEXT,
	since TIMESTAMP WITH TIME ZONE NOT NULL,
	made_at TIMESTAMP WITH TIME ZONE NOT NULL,
	used_at TIMESTAMP WITH TIME ZONE,
	CONSTRAINT pk_address_undos PRIMARY KEY (token_hash),
	CONSTRAINT fk_address_undos_player_id FOREIGN KEY(player_id) REFERENCES players (id)
);
CREATE INDEX ix_address_undos_player_id ON address_undos (player_id);
CREATE TABLE blocks (
	player_id TEXT NOT NULL,
	blocked_id TEXT NOT NULL,
	at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_blocks PRIMARY KEY (player_id, blocked_id),
	CONSTRAINT fk_blocks_player_id FOREIGN KEY(player_id) REFERENCES players (id),
	CONSTRAINT fk_blocks_blocked_id FOREIGN KEY(blocked_id) REFERENCES players (id)
);
CREATE TABLE browsers (
	secret_hash TEXT NOT NULL,
	player_id TEXT NOT NULL,
	signed_in_at TIMESTAMP WITH TIME ZONE NOT NULL,
	expires_at TIMESTAMP WITH TIME ZONE NOT NULL,
	proven_at TIMESTAMP WITH TIME ZONE,
	CONSTRAINT pk_browsers PRIMARY KEY (secret_hash),
	CONSTRAINT fk_browsers_player_id FOREIGN KEY(player_id) REFERENCES players (id)
);
CREATE INDEX ix_browsers_expires_at ON browsers (expires_at);
CREATE INDEX ix_browsers_player_id ON browsers (player_id);
CREATE TABLE calendar_entries (
	player_id TEXT NOT NULL,
	uid TEXT NOT NULL,
	match_id TEXT NOT NULL,
	summary TEXT NOT NULL,
	due_at TIMESTAMP WITH TIME ZONE NOT NULL,
	sequence INTEGER NOT NULL,
	changed_at TIMESTAMP WITH TIME ZONE NOT NULL,
	is_gone BOOLEAN NOT NULL,
	CONSTRAINT pk_calendar_entries PRIMARY KEY (player_id, uid),
	CONSTRAINT fk_calendar_entries_player_id FOREIGN KEY(player_id) REFERENCES players (id)
);
CREATE TABLE calendars (
	player_id TEXT NOT NULL,
	secret_hash TEXT NOT NULL,
	CONSTRAINT pk_calendars PRIMARY KEY (player_id),
	CONSTRAINT fk_calendars_player_id FOREIGN KEY(player_id) REFERENCES players (id),
	CONSTRAINT uq_calendars_secret_hash UNIQUE (secret_hash)
);
CREATE TABLE confirmations (
	token_hash TEXT NOT NULL,
	player_id TEXT NOT NULL,
	expires_at TIMESTAMP WITH TIME ZONE NOT NULL,
	used_at TIMESTAMP WITH TIME ZONE,
	join_secret TEXT,
	guest_id TEXT,
	CONSTRAINT pk_confirmations PRIMARY KEY (token_hash),
	CONSTRAINT fk_confirmations_player_id FOREIGN KEY(player_id) REFERENCES players (id),
	CONSTRAINT fk_confirmations_guest_id FOREIGN KEY(guest_id) REFERENCES players (id)
);
CREATE INDEX ix_confirmations_guest_id ON confirmations (guest_id);
CREATE INDEX ix_confirmations_player_id ON confirmations (player_id);
CREATE TABLE days_off (
	id TEXT NOT NULL,
	player_id TEXT NOT NULL,
	declared_at TIMESTAMP WITH TIME ZONE NOT NULL,
	start_at TIMESTAMP WITH TIME ZONE NOT NULL,
	end_at TIMESTAMP WITH TIME ZONE NOT NULL,
	days INTEGER NOT NULL,
	automatic BOOLEAN NOT NULL,
	CONSTRAINT pk_days_off PRIMARY KEY (id),
	CONSTRAINT fk_days_off_player_id FOREIGN KEY(player_id) REFERENCES players (id)
);
CREATE INDEX ix_days_off_player_id_end_at ON days_off (player_id, end_at);
CREATE TABLE keyed_requests (
	player_id TEXT NOT NULL,
	key TEXT NOT NULL,
	fingerprint TEXT NOT NULL,
	at TIMESTAMP WITH TIME ZONE NOT NULL,
	status INTEGER,
	location TEXT,
	body BYTEA,
	CONSTRAINT pk_keyed_requests PRIMARY KEY (player_id, key),
	CONSTRAINT fk_keyed_requests_player_id FOREIGN KEY(player_id) REFERENCES players (id)
);
CREATE INDEX ix_keyed_requests_at ON keyed_requests (at);
CREATE TABLE matches (
	id TEXT NOT NULL,
	game TEXT NOT NULL,
	rules_version INTEGER NOT NULL,
	components_name TEXT NOT NULL,
	components_digest TEXT NOT NULL,
	options JSON NOT NULL,
	title TEXT NOT NULL,
	status TEXT NOT NULL,
	created_by TEXT NOT NULL,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	started_at TIMESTAMP WITH TIME ZONE,
	finished_at TIMESTAMP WITH TIME ZONE,
	ply INTEGER NOT NULL,
	secret BYTEA NOT NULL,
	commitment TEXT NOT NULL,
	outcome JSON,
	unreadable_at TIMESTAMP WITH TIME ZONE,
	unreadable_reason TEXT,
	events INTEGER DEFAULT 0 NOT NULL,
	clock JSON,
	early_end JSON,
	handed_over JSON,
	unlisted BOOLEAN DEFAULT false NOT NULL,
	join_secret TEXT,
	visited_at TIMESTAMP WITH TIME ZONE,
	archive_due_at TIMESTAMP WITH TIME ZONE,
	archive_mails INTEGER DEFAULT 0 NOT NULL,
	CONSTRAINT pk_matches PRIMARY KEY (id),
	CONSTRAINT fk_matches_created_by FOREIGN KEY(created_by) REFERENCES players (id),
	CONSTRAINT uq_matches_join_secret UNIQUE (join_secret)
);
CREATE INDEX ix_matches_archive_due_at ON matches (archive_due_at) WHERE archive_due_at IS NOT NULL;
CREATE INDEX ix_matches_created_by ON matches (created_by);
CREATE INDEX ix_matches_status_created_at ON matches (status, created_at);
CREATE INDEX ix_matches_unreadable_at ON matches (unreadable_at) WHERE unreadable_at IS NOT NULL;
CREATE TABLE player_addresses (
	id TEXT NOT NULL,
	player_id TEXT NOT NULL,
	address TEXT NOT NULL,
	folded TEXT NOT NULL,
	is_primary BOOLEAN NOT NULL,
	added_at TIMESTAMP WITH TIME ZONE NOT NULL,
	confirmed_at TIMESTAMP WITH TIME ZONE,
	soft_bounces INTEGER DEFAULT 0 NOT NULL,
	last_bounce_at TIMESTAMP WITH TIME ZONE,
	bounced_at TIMESTAMP WITH TIME ZONE,
	bounce_reason TEXT,
	CONSTRAINT pk_player_addresses PRIMARY KEY (id),
	CONSTRAINT uq_player_addresses_player_id_folded UNIQUE (player_id, folded),
	CONSTRAINT fk_player_addresses_player_id FOREIGN KEY(player_id) REFERENCES players (id)
);
CREATE INDEX ix_player_addresses_bounced_at ON player_addresses (bounced_at) WHERE bounced_at IS NOT NULL;
CREATE UNIQUE INDEX ix_player_addresses_folded ON player_addresses (folded) WHERE confirmed_at IS NOT NULL;
CREATE UNIQUE INDEX ix_player_addresses_player_id ON player_addresses (player_id) WHERE is_primary;
CREATE TABLE player_events (
	player_id TEXT NOT NULL,
	number INTEGER NOT NULL,
	match_id TEXT NOT NULL,
	event INTEGER NOT NULL,
	at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_player_events PRIMARY KEY (player_id, number),
	CONSTRAINT fk_player_events_player_id FOREIGN KEY(player_id) REFERENCES players (id)
);
CREATE INDEX ix_player_events_at ON player_events (at);
CREATE TABLE tokens (
	id TEXT NOT NULL,
	player_id TEXT NOT NULL,
	token_hash TEXT NOT NULL,
	label TEXT NOT NULL,
	scopes JSON NOT NULL,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	proven_at TIMESTAMP WITH TIME ZONE,
	revoked_at TIMESTAMP WITH TIME ZONE,
	expires_at TIMESTAMP WITH TIME ZONE,
	used_at TIMESTAMP WITH TIME ZONE,
	CONSTRAINT pk_tokens PRIMARY KEY (id),
	CONSTRAINT fk_tokens_player_id FOREIGN KEY(player_id) REFERENCES players (id),
	CONSTRAINT uq_tokens_token_hash UNIQUE (token_hash)
);
CREATE INDEX ix_tokens_player_id ON tokens (player_id);
CREATE TABLE address_confirmations (
	token_hash TEXT NOT NULL,
	address_id TEXT NOT NULL,
	expires_at TIMESTAMP WITH TIME ZONE NOT NULL,
	used_at TIMESTAMP WITH TIME ZONE,
	CONSTRAINT pk_address_confirmations PRIMARY KEY (token_hash),
	CONSTRAINT fk_address_confirmations_address_id FOREIGN KEY(address_id) REFERENCES player_addresses (id) ON DELETE CASCADE
);
CREATE INDEX ix_address_confirmations_address_id ON address_confirmations (address_id);
CREATE TABLE chat_lines (
	match_id TEXT NOT NULL,
	number INTEGER NOT NULL,
	seat INTEGER NOT NULL,
	player_id TEXT NOT NULL,
	at TIMESTAMP WITH TIME ZONE NOT NULL,
	text TEXT NOT NULL,
	CONSTRAINT pk_chat_lines PRIMARY KEY (match_id, number),
	CONSTRAINT fk_chat_lines_match_id FOREIGN KEY(match_id) REFERENCES matches (id),
	CONSTRAINT fk_chat_lines_player_id FOREIGN KEY(player_id) REFERENCES players (id)
);
CREATE TABLE clock_steps (
	match_id TEXT NOT NULL,
	number INTEGER NOT NULL,
	kind TEXT NOT NULL,
	seat INTEGER,
	ply INTEGER NOT NULL,
	counts_at TIMESTAMP WITH TIME ZONE NOT NULL,
	at TIMESTAMP WITH TIME ZONE NOT NULL,
	seconds INTEGER NOT NULL,
	stops JSON,
	not_before TIMESTAMP WITH TIME ZONE,
	marks JSON NOT NULL,
	player_id TEXT,
	CONSTRAINT pk_clock_steps PRIMARY KEY (match_id, number),
	CONSTRAINT fk_clock_steps_match_id FOREIGN KEY(match_id) REFERENCES matches (id)
);
CREATE INDEX ix_clock_steps_player_id_kind ON clock_steps (player_id, kind);
CREATE TABLE conversations (
	match_id TEXT NOT NULL,
	thread TEXT NOT NULL,
	number INTEGER NOT NULL,
	mails INTEGER NOT NULL,
	CONSTRAINT pk_conversations PRIMARY KEY (match_id, thread),
	CONSTRAINT fk_conversations_match_id FOREIGN KEY(match_id) REFERENCES matches (id)
);
CREATE TABLE events (
	match_id TEXT NOT NULL,
	number INTEGER NOT NULL,
	kind TEXT NOT NULL,
	audience TEXT NOT NULL,
	player_id TEXT,
	seat INTEGER,
	ply INTEGER,
	turn_id TEXT,
	payload JSON,
	at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_events PRIMARY KEY (match_id, number),
	CONSTRAINT fk_events_match_id FOREIGN KEY(match_id) REFERENCES matches (id),
	CONSTRAINT fk_events_player_id FOREIGN KEY(player_id) REFERENCES players (id)
);
CREATE TABLE match_preferences (
	player_id TEXT NOT NULL,
	match_id TEXT NOT NULL,
	document JSON NOT NULL,
	changed_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_match_preferences PRIMARY KEY (player_id, match_id),
	CONSTRAINT fk_match_preferences_player_id FOREIGN KEY(player_id) REFERENCES players (id),
	CONSTRAINT fk_match_preferences_match_id FOREIGN KEY(match_id) REFERENCES matches (id)
);
CREATE TABLE notes (
	match_id TEXT NOT NULL,
	player_id TEXT NOT NULL,
	text TEXT NOT NULL,
	changed_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_notes PRIMARY KEY (match_id, player_id),
	CONSTRAINT fk_notes_match_id FOREIGN KEY(match_id) REFERENCES matches (id),
	CONSTRAINT fk_notes_player_id FOREIGN KEY(player_id) REFERENCES players (id)
);
CREATE TABLE outbox (
	id TEXT NOT NULL,
	match_id TEXT,
	player_id TEXT,
	address TEXT,
	sender_id TEXT,
	recipient TEXT,
	kind TEXT NOT NULL,
	payload JSON NOT NULL,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	held_until TIMESTAMP WITH TIME ZONE,
	status TEXT NOT NULL,
	attempts INTEGER NOT NULL,
	crashes INTEGER DEFAULT 0 NOT NULL,
	next_attempt_at TIMESTAMP WITH TIME ZONE NOT NULL,
	sent_at TIMESTAMP WITH TIME ZONE,
	last_error TEXT,
	leased_until TIMESTAMP WITH TIME ZONE,
	leased_by TEXT,
	lane INTEGER NOT NULL,
	not_before TIMESTAMP WITH TIME ZONE,
	channel TEXT DEFAULT 'mail' NOT NULL,
	superseded_by TEXT,
	covered_by TEXT,
	event_id TEXT,
	bounced_at TIMESTAMP WITH TIME ZONE,
	bounce_reason TEXT,
	conversation TEXT,
	CONSTRAINT pk_outbox PRIMARY KEY (id),
	CONSTRAINT fk_outbox_match_id FOREIGN KEY(match_id) REFERENCES matches (id),
	CONSTRAINT fk_outbox_player_id FOREIGN KEY(player_id) REFERENCES players (id),
	CONSTRAINT fk_outbox_sender_id FOREIGN KEY(sender_id) REFERENCES players (id)
);
CREATE INDEX ix_outbox_lane_next_attempt_at_id ON outbox (lane, next_attempt_at, id) WHERE status = 'pending';
CREATE INDEX ix_outbox_player_id_created_at_id ON outbox (player_id, created_at, id);
CREATE INDEX ix_outbox_player_id_match_id ON outbox (player_id, match_id) WHERE status = 'pending';
CREATE INDEX ix_outbox_recipient_created_at ON outbox (recipient, created_at) WHERE sender_id IS NOT NULL;
CREATE INDEX ix_outbox_status_next_attempt_at ON outbox (status, next_attempt_at);
CREATE TABLE pauses (
	id TEXT NOT NULL,
	match_id TEXT NOT NULL,
	start_at TIMESTAMP WITH TIME ZONE NOT NULL,
	end_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_pauses PRIMARY KEY (id),
	CONSTRAINT fk_pauses_match_id FOREIGN KEY(match_id) REFERENCES matches (id)
);
CREATE INDEX ix_pauses_match_id_end_at ON pauses (match_id, end_at);
CREATE TABLE seat_clocks (
	match_id TEXT NOT NULL,
	seat INTEGER NOT NULL,
	document JSON NOT NULL,
	due_at TIMESTAMP WITH TIME ZONE,
	remind_at TIMESTAMP WITH TIME ZONE,
	CONSTRAINT pk_seat_clocks PRIMARY KEY (match_id, seat),
	CONSTRAINT fk_seat_clocks_match_id FOREIGN KEY(match_id) REFERENCES matches (id)
);
CREATE INDEX ix_seat_clocks_due_at_match_id_seat ON seat_clocks (due_at, match_id, seat) WHERE due_at IS NOT NULL;
CREATE INDEX ix_seat_clocks_remind_at ON seat_clocks (remind_at) WHERE remind_at IS NOT NULL;
CREATE TABLE seats (
	match_id TEXT NOT NULL,
	seat INTEGER NOT NULL,
	player_id TEXT,
	invited_email TEXT,
	invited_at TIMESTAMP WITH TIME ZONE,
	nonce TEXT,
	joined_at TIMESTAMP WITH TIME ZONE,
	resigned_at TIMESTAMP WITH TIME ZONE,
	resigned_ply INTEGER,
	to_act BOOLEAN NOT NULL,
	held_at TIMESTAMP WITH TIME ZONE,
	replaced BOOLEAN NOT NULL,
	CONSTRAINT pk_seats PRIMARY KEY (match_id, seat),
	CONSTRAINT uq_seats_match_id_player_id UNIQUE (match_id, player_id),
	CONSTRAINT fk_seats_match_id FOREIGN KEY(match_id) REFERENCES matches (id),
	CONSTRAINT fk_seats_player_id FOREIGN KEY(player_id) REFERENCES players (id)
);
CREATE INDEX ix_seats_invited_email ON seats (invited_email);
CREATE INDEX ix_seats_player_id_to_act ON seats (player_id, to_act);
CREATE TABLE stops (
	id TEXT NOT NULL,
	player_id TEXT NOT NULL,
	at TIMESTAMP WITH TIME ZONE NOT NULL,
	scope TEXT NOT NULL,
	match_id TEXT,
	kind TEXT,
	one_click BOOLEAN NOT NULL,
	CONSTRAINT pk_stops PRIMARY KEY (id),
	CONSTRAINT fk_stops_player_id FOREIGN KEY(player_id) REFERENCES players (id),
	CONSTRAINT fk_stops_match_id FOREIGN KEY(match_id) REFERENCES matches (id)
);
CREATE INDEX ix_stops_player_id_at ON stops (player_id, at);
CREATE TABLE webhooks (
	id TEXT NOT NULL,
	player_id TEXT NOT NULL,
	match_id TEXT,
	format TEXT NOT NULL,
	url TEXT NOT NULL,
	secret TEXT NOT NULL,
	secret_before TEXT,
	renewed_at TIMESTAMP WITH TIME ZONE,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	told_at TIMESTAMP WITH TIME ZONE,
	failing_since TIMESTAMP WITH TIME ZONE,
	last_error TEXT,
	last_error_at TIMESTAMP WITH TIME ZONE,
	off_at TIMESTAMP WITH TIME ZONE,
	CONSTRAINT pk_webhooks PRIMARY KEY (id),
	CONSTRAINT fk_webhooks_player_id FOREIGN KEY(player_id) REFERENCES players (id),
	CONSTRAINT fk_webhooks_match_id FOREIGN KEY(match_id) REFERENCES matches (id)
);
CREATE INDEX ix_webhooks_match_id ON webhooks (match_id) WHERE match_id IS NOT NULL;
CREATE INDEX ix_webhooks_player_id ON webhooks (player_id);
CREATE INDEX ix_webhooks_url ON webhooks (url);
CREATE TABLE questions (
	id TEXT NOT NULL,
	match_id TEXT NOT NULL,
	number INTEGER NOT NULL,
	kind TEXT NOT NULL,
	seat INTEGER NOT NULL,
	made_at TIMESTAMP WITH TIME ZONE NOT NULL,
	status TEXT NOT NULL,
	settled_at TIMESTAMP WITH TIME ZONE,
	about JSON NOT NULL,
	CONSTRAINT pk_questions PRIMARY KEY (id),
	CONSTRAINT fk_questions_match_id_seat FOREIGN KEY(match_id, seat) REFERENCES seats (match_id, seat),
	CONSTRAINT uq_questions_match_id_number UNIQUE (match_id, number)
);
CREATE INDEX ix_questions_made_at ON questions (made_at) WHERE status = 'open';
CREATE INDEX ix_questions_match_id ON questions (match_id) WHERE status = 'open';
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
	submitted_at TIMESTAMP WITH TIME ZONE NOT NULL,
	judged_at TIMESTAMP WITH TIME ZONE,
	attempts INTEGER NOT NULL,
	slot TEXT,
	in_reply_to TEXT,
	kind TEXT NOT NULL,
	awaited_by TEXT,
	CONSTRAINT pk_turns PRIMARY KEY (id),
	CONSTRAINT fk_turns_match_id_seat FOREIGN KEY(match_id, seat) REFERENCES seats (match_id, seat),
	CONSTRAINT uq_turns_player_id_idempotency_key UNIQUE (player_id, idempotency_key),
	CONSTRAINT fk_turns_player_id FOREIGN KEY(player_id) REFERENCES players (id)
);
CREATE INDEX ix_turns_attempts ON turns (attempts) WHERE attempts > 0;
CREATE INDEX ix_turns_judged_at ON turns (judged_at) WHERE judged_at IS NOT NULL;
CREATE INDEX ix_turns_match_id_player_id_submitted_at ON turns (match_id, player_id, submitted_at);
CREATE UNIQUE INDEX ix_turns_slot ON turns (slot) WHERE slot IS NOT NULL;
CREATE INDEX ix_turns_status_submitted_at ON turns (status, submitted_at);
CREATE TABLE entries (
	match_id TEXT NOT NULL,
	ply INTEGER NOT NULL,
	seat INTEGER NOT NULL,
	action JSON NOT NULL,
	turn_id TEXT,
	at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_entries PRIMARY KEY (match_id, ply),
	CONSTRAINT fk_entries_match_id FOREIGN KEY(match_id) REFERENCES matches (id),
	CONSTRAINT fk_entries_turn_id FOREIGN KEY(turn_id) REFERENCES turns (id)
);
