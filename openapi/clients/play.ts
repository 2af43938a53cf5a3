// Plays two matches of a game with openapi-fetch and the types that openapi-typescript has generated:
// the second has the options and components of the first, as they were answered.
//
//     node play.ts URL GAME TOKEN TOKEN
//
// Each token is of another player. They submit one legal action at a time, after a dry run of it.

import createClient from "openapi-fetch";
import type { components, paths } from "./overland.ts";

type Schemas = components["schemas"];
type Client = ReturnType<typeof createClient<paths>>;

const SEATS: Schemas["SeatRequest"][] = [{ kind: "me" }, { kind: "open" }];

/** The document of an answer. Throws its problem. */
function answered<T>(answer: { data?: T; error?: Schemas["Problem"] }): T {
  if (answer.data === undefined) throw new Error(answer.error?.detail ?? "no answer");
  return answer.data;
}

/** A match with the components of the catalogue, as a whole document. */
async function newMatch(client: Client, game: string): Promise<Schemas["MatchRequest"]> {
  const found = answered(await client.GET("/v1/games/{game}/components", { params: { path: { game } } }));
  switch (found.game) {
    case "montana":
      return { game: "montana", seats: SEATS, components: found.components };
    case "oregon":
      return { game: "oregon", seats: SEATS, components: found.components };
    case "ozeanien":
      return { game: "ozeanien", seats: SEATS, components: found.components };
  }
}

/** A match with the options and components of another. */
async function like(client: Client, match: Schemas["Match"]): Promise<Schemas["MatchRequest"]> {
  const params = { path: { match: match.id } };
  const used = answered(await client.GET("/v1/matches/{match}/components", { params }));
  if (match.game === "montana" && used.game === "montana")
    return { game: "montana", seats: SEATS, options: match.options, components: used.components };
  if (match.game === "oregon" && used.game === "oregon")
    return { game: "oregon", seats: SEATS, options: match.options, components: used.components };
  if (match.game === "ozeanien" && used.game === "ozeanien")
    return { game: "ozeanien", seats: SEATS, options: match.options, components: used.components };
  throw new Error(`${match.id} is of another game than its components`);
}

/** The match, begun: the first client has created it, the others have joined. */
async function seated(clients: Client[], body: Schemas["MatchRequest"]): Promise<Schemas["Match"]> {
  const [creator, ...others] = clients;
  if (creator === undefined) throw new Error("nobody plays");
  let match = answered(await creator.POST("/v1/matches", { body }));
  for (const client of others) {
    match = answered(await client.POST("/v1/matches/{match}/join", { params: { path: { match: match.id } } }));
  }
  return match;
}

/** One legal action of whoever is awaited, first as a dry run. */
async function turn(client: Client, match: string, random: () => number): Promise<void> {
  const params = { path: { match } };
  const legal = answered(await client.GET("/v1/matches/{match}/legal-actions", { params }));
  const chosen = legal.items[Math.floor(random() * legal.items.length)];
  if (chosen === undefined) throw new Error(`nothing is legal: ${legal.detail}`);
  const body = { ply: legal.ply, actions: [chosen.action] };
  const tried = answered(
    await client.POST("/v1/matches/{match}/turns", { params, body: { ...body, dry_run: true } }),
  );
  if (tried.status !== "preview") throw new Error(`a dry run was ${tried.status}`);
  if (tried.accepted !== 1) throw new Error(`${chosen.notation}: ${tried.violation?.detail}`);
  const played = answered(
    await client.POST("/v1/matches/{match}/turns", {
      params: { ...params, header: { Prefer: "wait=30" } },
      body,
    }),
  );
  if (played.status !== "accepted") throw new Error(`${chosen.notation} was ${played.status}`);
}

/** What is to be seen of an observation, which has another form in each game. */
function seen(looked: Schemas["MatchObservation"]): string {
  switch (looked.game) {
    case "montana":
      return `${looked.observation.hexes.length} hexes`;
    case "oregon":
      return `${looked.observation.farmers.length} farmers`;
    case "ozeanien":
      return `${looked.observation.islands.length} islands`;
  }
}

async function main(url: string, game: string, tokens: string[]): Promise<void> {
  const clients = tokens.map((token) =>
    createClient<paths>({ baseUrl: url, headers: { Authorization: `Bearer ${token}` } }),
  );
  const [creator] = clients;
  if (creator === undefined) throw new Error("nobody plays");
  const first = await seated(clients, await newMatch(creator, game));
  let match = await seated(clients, await like(creator, first));
  if (JSON.stringify(match.options) !== JSON.stringify(first.options)) throw new Error("other options");
  if (match.components_digest !== first.components_digest) throw new Error("other components");
  const params = { path: { match: match.id } };
  let seed = 1;
  const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
  let turns = 0;
  for (; match.status === "running"; turns++) {
    const client = clients[match.seats.find((seat) => seat.to_act)?.seat ?? 0];
    if (client === undefined) throw new Error("a seat of nobody is awaited");
    await turn(client, match.id, random);
    match = answered(await creator.GET("/v1/matches/{match}", { params }));
  }
  const looked = answered(await creator.GET("/v1/matches/{match}/observation", { params }));
  const record = answered(await creator.GET("/v1/matches/{match}/record", { params }));
  const log = answered(await creator.GET("/v1/matches/{match}/log", { params }));
  if (record.outcome === null || match.outcome === null || log.items[0]?.game !== match.game)
    throw new Error("the match is over, and there is no outcome, or another log");
  console.log(
    `${match.game}: ${turns} turns of one action, ${record.log.length} entries, ${seen(looked)}, ` +
      `scores ${record.outcome.scores.join(", ")}: ${match.outcome.ended.sentence}`,
  );
}

const [url, game, ...tokens] = process.argv.slice(2);
if (url === undefined || game === undefined) throw new Error("node play.ts URL GAME TOKEN TOKEN");
await main(url, game, tokens);
