// Plays random games of every variant, knowing nothing but what the API tells it.
// node play.mjs HOST:PORT PROTO_FOLDER [SEED]
import assert from "node:assert/strict";
import { promisify } from "node:util";
import grpc from "@grpc/grpc-js";
import loader from "@grpc/proto-loader";
import googleProtoFiles from "google-proto-files";

const [address, protoFolder, seed = "1"] = process.argv.slice(2);
const GAMES = 20;
const PLIES = 300;
const PARTS = ["MOVE_PART_NOTATION", "MOVE_PART_LANDINGS", "MOVE_PART_PATHS", "MOVE_PART_POSITION_AFTER"];

const options = {
  keepCase: true, longs: String, enums: String, defaults: true, oneofs: true,
  includeDirs: [protoFolder, googleProtoFiles.getProtoPath("..")],
};
const load = (file) => loader.loadSync(file, options);
const { RulesService } = grpc.loadPackageDefinition(load("draughts/v1/rules_service.proto")).draughts.v1;
const details = { ...load("google/rpc/status.proto"), ...load("google/rpc/error_details.proto"), ...load("draughts/v1/game.proto") };

const client = new RulesService(address, grpc.credentials.createInsecure());
const call = (method) => promisify(client[method]).bind(client);
const rpc = Object.fromEntries(
  ["ListVariants", "GetVariant", "GenerateLegalMoves", "ApplyMove", "DetermineResult", "ValidatePosition"]
    .map((method) => [method, call(method)]),
);

// mulberry32: the same games in every run.
let state = Number(seed);
function below(count) {
  state = (state + 0x6d2b79f5) | 0;
  let t = Math.imul(state ^ (state >>> 15), 1 | state);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) % count;
}
const choice = (list) => list[below(list.length)];
const sorted = (list) => [...list].sort((a, b) => a - b);

/** Calls a method that must fail; gives the code, the ErrorInfo and the other details by type. */
async function errorOf(method, request) {
  const error = await rpc[method](request).then(
    (answer) => assert.fail(`accepted: ${JSON.stringify({ request, answer })}`), (error) => error);
  const [bytes] = error.metadata.get("grpc-status-details-bin");
  const status = details["google.rpc.Status"].deserialize(bytes);
  const found = {};
  for (const { type_url: url, value } of status.details) {
    const type = url.slice(url.indexOf("/") + 1);
    found[type] = details[type].deserialize(value);
  }
  const info = found["google.rpc.ErrorInfo"];
  assert.equal(info.domain, "draughts-rules");
  return { code: error.code, info, found };
}

class Player {
  constructor(info, described) {
    this.info = info;
    this.described = described;
    this.refusals = {};
  }

  game(position, moves = []) {
    return { variant: this.info.variant, position, moves };
  }

  /** Plays one game; gives the number of plies and the winner. */
  async play() {
    let { position } = this.described.start;
    for (let ply = 0; ply < PLIES; ply += 1) {
      const { moves } = await rpc.GenerateLegalMoves({ game: this.game(position), parts: PARTS });
      const { result } = await rpc.DetermineResult({ game: this.game(position) });
      assert.equal(result.status === "RESULT_STATUS_WON", moves.length === 0);
      if (moves.length === 0) return { plies: ply, winner: result.winner };
      if (ply % 30 === 0) {
        await this.checkRefusals(position, moves);
        await this.checkPath(position, choice(moves));
        for (const move of moves) await this.checkAccepted(position, move);
      }
      position = await this.checkAccepted(position, choice(moves));
    }
    return { plies: PLIES, winner: "COLOR_UNSPECIFIED" };
  }

  /** Plays a listed move in one of its forms; gives the position after it. */
  async checkAccepted(position, move) {
    const path = { squares: [move.from_square, ...move.landings] };
    const form = choice([{ move }, { text: move.notation }, { path }]);
    const answer = await rpc.ApplyMove({ game: this.game(position), move: form });
    assert.deepEqual(answer.position, move.position_after);
    assert.deepEqual(sorted(answer.move.captured), sorted(move.captured));
    return answer.position.position;
  }

  /** Clicks one way of a move square by square. */
  async checkPath(position, move) {
    const way = move.paths.length ? choice(move.paths).squares : [move.from_square];
    let answer;
    for (let length = 0; length <= way.length; length += 1) {
      answer = await rpc.GenerateLegalMoves({ game: this.game(position), path_prefix: way.slice(0, length) });
      assert.ok(length === way.length || answer.next_squares.includes(way[length]));
    }
    assert.ok(answer.prefix_completes);
  }

  async checkRefusals(position, moves) {
    const { turn, pieces } = position.placement;
    const of = (test) => pieces.filter(test).flatMap((group) => group.squares);
    const own = of((group) => group.color === turn);
    const enemies = of((group) => group.color !== turn);
    const all = this.described.board.squares.map((square) => square.number);
    const empty = all.filter((square) => !own.includes(square) && !enemies.includes(square));
    if (empty.length) await this.refused(position, moves, { from_square: choice(empty), to_square: own[0] }, "EMPTY_SQUARE");
    if (enemies.length) await this.refused(position, moves, { from_square: choice(enemies), to_square: own[0] }, "NOT_YOUR_PIECE");
    if (moves[0].kind === "MOVE_KIND_REMOVAL") {
      const kept = own.filter((square) => !moves.some((move) => move.from_square === square));
      await this.refused(position, moves, { from_square: choice(kept) }, "NOT_REMOVABLE");
    } else if (own.length > 1) {
      const start = choice(own);
      const end = choice(own.filter((square) => square !== start));
      await this.refused(position, moves, { from_square: start, to_square: end }, "OCCUPIED");
    }
  }

  async refused(position, moves, move, reason) {
    const { code, info, found } = await errorOf("ApplyMove", { game: this.game(position), move: { move } });
    assert.equal(code, grpc.status.INVALID_ARGUMENT);
    assert.equal(info.reason, "ILLEGAL_MOVE");
    const illegal = found["draughts.v1.IllegalMove"];
    assert.equal(illegal.reason, `ILLEGAL_MOVE_REASON_${reason}`);
    assert.equal(illegal.legal_move_count, moves.length);
    this.refusals[reason] = (this.refusals[reason] ?? 0) + 1;
  }
}

async function checkBadRequests(variant) {
  const anyMove = { text: "1-2" };
  for (const [game, move, reason, field] of [
    [{ variant: 99 }, anyMove, "INVALID_FIELD", "game.variant"],
    [{}, anyMove, "INVALID_FIELD", "game.variant"],
    [{ variant, position: { fen: "" } }, anyMove, "MALFORMED_FEN", "game.position.fen"],
    [{ variant, position: { fen: "W:Wz99:B" } }, anyMove, "INVALID_POSITION", "game.position.fen"],
    [{ variant }, { text: "to the left" }, "MALFORMED_MOVE", "move.text"],
  ]) {
    const { code, info, found } = await errorOf("ApplyMove", { game, move });
    assert.equal(code, grpc.status.INVALID_ARGUMENT);
    assert.equal(info.reason, reason);
    assert.ok(found["google.rpc.BadRequest"].field_violations.some((violation) => violation.field === field));
  }
}

const { variants } = await rpc.ListVariants({});
await checkBadRequests(variants[0].variant);
for (const info of variants) {
  const described = await rpc.GetVariant({ variant: info.variant });
  assert.deepEqual(described.info, info);
  const player = new Player(info, described);
  const games = [];
  for (let index = 0; index < GAMES; index += 1) games.push(await player.play());
  const won = (color) => games.filter(({ winner }) => winner === color).length;
  const plies = games.reduce((sum, game) => sum + game.plies, 0);
  assert.ok(Object.keys(player.refusals).length >= 3, info.name);
  console.log(`node ${info.name}: ${plies} plies, White won ${won("COLOR_WHITE")}, Black ${won("COLOR_BLACK")}, refused ${JSON.stringify(player.refusals)}`);
}
console.log(`node: ${variants.length} variants, ${GAMES * variants.length} games`);
client.close();
