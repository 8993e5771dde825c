// Plays random games of every variant, knowing nothing but what the API tells it.
// node play.mjs HOST:PORT PROTO_FOLDER [SEED]
import assert from "node:assert/strict";
import { promisify } from "node:util";
import grpc from "@grpc/grpc-js";
import loader from "@grpc/proto-loader";

const [address, protoFolder, seed = "1"] = process.argv.slice(2);
const [GAMES, PLIES, REPLAYED_AT] = [20, 300, 64];
const PARTS = ["MOVE_PART_NOTATION", "MOVE_PART_LANDINGS"];
const ALL_PARTS = [...PARTS, "MOVE_PART_POSITION_AFTER"];
const COMPASS = [
  ["SOUTH_WEST", "SOUTH", "SOUTH_EAST"],
  ["WEST", undefined, "EAST"],
  ["NORTH_WEST", "NORTH", "NORTH_EAST"],
];

const options = { keepCase: true, longs: String, enums: String, defaults: true, oneofs: true };
const files = ["draughts/v1/rules_service.proto", "draughts/v1/error_reason.proto"];
const api = loader.loadSync(files, { ...options, includeDirs: [protoFolder] });
const field = (type, id) => ({ type, id });
const list = (type, id) => ({ rule: "repeated", type, id });
const map = (id) => ({ keyType: "string", type: "string", id });
// google/rpc/status.proto and error_details.proto, as far as they are needed
const google = loader.fromJSON({ nested: { "google.rpc": { nested: {
  Status: { fields: { code: field("int32", 1), message: field("string", 2), details: list("Any", 3) } },
  Any: { fields: { type_url: field("string", 1), value: field("bytes", 2) } },
  ErrorInfo: { fields: { reason: field("string", 1), domain: field("string", 2), metadata: map(3) } },
  BadRequest: { fields: { field_violations: list("FieldViolation", 1) } },
  FieldViolation: { fields: { field: field("string", 1) } },
} } } }, options);
const types = { ...api, ...google };
const reasons = types["draughts.v1.ErrorReason"].type.value.map(({ name }) => name);

const { RulesService } = grpc.loadPackageDefinition(api).draughts.v1;
const client = new RulesService(address, grpc.credentials.createInsecure());
const methods = Object.keys(RulesService.service);
const rpc = Object.fromEntries(methods.map((name) => [name, promisify(client[name]).bind(client)]));

// mulberry32: the same games in every run with the same seed.
let state = Number(seed);
function random() {
  state = (state + 0x6d2b79f5) | 0;
  let t = Math.imul(state ^ (state >>> 15), 1 | state);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
}
const choice = (list) => list[Math.floor(random() * list.length)];
const sometimes = (share) => random() < share;
const count = (counts, key) => { counts[key] = (counts[key] ?? 0) + 1; };

/** What makes two moves the same one; a removal goes to no square. */
const identity = ({ from_square, to_square, captured }) =>
  `${from_square} ${to_square} ${[...captured].sort((a, b) => a - b)}`;

/** A result without what it rests on: the same for both forms of a game's history. */
const judgement = ({ history_coverage: _, ...result }) => result;

/** Asks for a move that must be refused; gives the ErrorInfo, and all details by type. */
async function refusal(request) {
  const error = await rpc.ApplyMove(request).then(
    (answer) => assert.fail(`accepted: ${JSON.stringify({ request, answer })}`),
    (reason) => reason,
  );
  assert.equal(error.code, grpc.status.INVALID_ARGUMENT, error);
  const [bytes] = error.metadata.get("grpc-status-details-bin");
  const status = types["google.rpc.Status"].deserialize(bytes);
  assert.deepEqual([status.code, status.message], [error.code, error.details]);
  assert.match(status.message, / /);
  const details = {};
  for (const { type_url: url, value } of status.details) {
    const type = url.slice(url.indexOf("/") + 1);
    assert.ok(!(type in details), type);
    details[type] = types[type].deserialize(value);
  }
  const info = details["google.rpc.ErrorInfo"];
  assert.equal(info.domain, "draughts-rules");
  assert.ok(reasons.includes(`ERROR_REASON_${info.reason}`), info.reason);
  return { info, details };
}

/** Plays one variant. */
class Player {
  trace = [];
  plies = 0;
  drawn = 0;
  accepted = 0;
  winners = {};
  refusals = {};

  constructor({ info, board, start }) {
    this.info = info;
    this.start = start;
    this.squares = new Map(board.squares.map((square) => [square.number, square]));
    this.lines = board.lines.flatMap(({ lower, higher }) => [[lower, higher], [higher, lower]]);
    this.roles = new Map(info.rules.roles.map((role) => [role.role, role]));
  }

  game(position, moves = [], draw_state = undefined) {
    return { variant: this.info.variant, position, moves, draw_state };
  }

  list(position, parts = [], prefix = []) {
    return rpc.GenerateLegalMoves({ game: this.game(position), parts, path_prefix: prefix });
  }

  async result(game) {
    return (await rpc.DetermineResult({ game })).result;
  }

  /** Plays one game to its end, or as far as is asked for. */
  async play() {
    let [here, state, result] = [this.start];
    let { moves: listed } = await this.list(undefined, ALL_PARTS);
    const history = [];
    this.trace = [];
    while (listed.length > 0 && history.length < PLIES) {
      const ply = history.length;
      const tryOut = (move) => this.apply(here.position, move, this.say(move));
      if (ply % 10 === 0) await Promise.all(listed.map(tryOut));
      if (ply < 2 || sometimes(0.05)) await this.checkRefusals(here.position, listed);
      if (sometimes(0.03)) await this.checkClicks(here.position);
      const move = choice(listed);
      history.push(this.say(move));
      this.trace.push(move.notation);
      [listed, result, here, state] = await this.advance(here, state, move, history.at(-1), ply);
      if (history.length === REPLAYED_AT) await this.checkReplay(history, here, result);
    }
    await this.checkReplay(history, here, result);
    this.plies += history.length;
    count(this.winners, result.winner);
  }

  /** Names a move in one of the ways in which a client may. */
  say(move) {
    const squares = [move.from_square, ...move.landings];
    const sign = move.kind === "MOVE_KIND_CAPTURE" ? this.info.rules.capture_sign : "-";
    return choice([{ move }, { text: move.notation }, { text: squares.join(sign) }, { path: { squares } }]);
  }

  /** Plays a listed move, which must be accepted and do what the list says. */
  async apply(position, move, said, state = undefined, more = {}) {
    const answer = await rpc.ApplyMove({ game: this.game(position, [], state), move: said, ...more });
    assert.equal(identity(answer.move), identity(move));
    assert.equal(answer.move.notation, move.notation);
    if (move.position_after) assert.deepEqual(answer.position, move.position_after);
    this.accepted += 1;
    return answer;
  }

  /** Plays a move of the game; gives the next moves, the result, the position and its history. */
  async advance(here, before, move, said, ply) {
    const thorough = ply % 10 === 9 || sometimes(0.05); // before the ply that tries all moves
    const parts = thorough ? ALL_PARTS : PARTS;
    const more = { with_next_moves: true, next_move_parts: parts };
    const answer = await this.apply(here.position, move, said, before, more);
    const { next_moves: moves, result, position, draw_state: state } = answer;
    this.drawn += result.status === "RESULT_STATUS_DRAWN";
    assert.equal(result.status === "RESULT_STATUS_WON", moves.length === 0);
    assert.equal(result.winner !== "COLOR_UNSPECIFIED", moves.length === 0);
    if (thorough || moves.length === 0) {
      assert.deepEqual(await this.apply({ fen: here.fen }, move, said, before, more), answer);
      assert.deepEqual((await this.list(position.position, parts)).moves, moves);
      const asked = await this.result(this.game(position.position, [], state));
      assert.deepEqual(judgement(asked), judgement(result));
    }
    return [moves, result, position, state];
  }

  /** The whole game as one question leads to the same position and result. */
  async checkReplay(history, here, result) {
    const game = this.game(undefined, history);
    assert.deepEqual((await rpc.ValidatePosition({ game })).position, here);
    assert.deepEqual(judgement(await this.result(game)), judgement(result));
  }

  /** Clicks one way of a move square by square. */
  async checkClicks(position) {
    const move = choice((await this.list(position, ["MOVE_PART_PATHS"])).moves);
    const way = choice(move.paths).squares;
    for (let length = 0; length <= way.length; length += 1) {
      const answer = await this.list(position, [], way.slice(0, length));
      assert.ok(answer.moves.map(identity).includes(identity(move)));
      if (length < way.length) assert.ok(answer.next_squares.includes(way[length]));
      else assert.ok(answer.prefix_completes);
    }
  }

  /** Moves against the rules are refused, and the answer explains them. */
  async checkRefusals(position, listed) {
    const legal = new Set(listed.map(identity));
    for (const [from_square, to_square, expected] of this.illegalMoves(position.placement, listed)) {
      const move = { from_square, to_square };
      const { info, details } = await refusal({ game: this.game(position), move: { move } });
      const illegal = details["draughts.v1.IllegalMove"];
      const reason = illegal.reason.replace("ILLEGAL_MOVE_REASON_", "");
      assert.equal(info.reason, "ILLEGAL_MOVE");
      assert.equal(info.metadata.illegal_move_reason, reason);
      assert.equal(reason, expected ?? reason, JSON.stringify({ position, move, illegal }));
      assert.notEqual(reason, "UNSPECIFIED");
      assert.match(illegal.explanation, / /);
      assert.ok(illegal.candidates.every((candidate) => legal.has(identity(candidate))));
      assert.equal(illegal.legal_move_count, listed.length);
      count(this.refusals, reason);
    }
  }

  /** Gives moves against the rules as start, end, and the reason to be given; no reason: any. */
  *illegalMoves({ turn, pieces: groups }, listed) {
    const pieces = new Map(groups.flatMap((group) => group.squares.map((square) => [square, group])));
    const numbers = [...this.squares.keys()];
    const own = numbers.filter((square) => pieces.get(square)?.color === turn);
    const enemies = numbers.filter((square) => pieces.has(square) && !own.includes(square));
    const empty = numbers.filter((square) => !pieces.has(square));
    const kinds = new Set(listed.map((move) => move.kind));
    const removing = kinds.has("MOVE_KIND_REMOVAL");
    for (const [starts, reason] of [[empty, "EMPTY_SQUARE"], [enemies, "NOT_YOUR_PIECE"]]) {
      if (starts.length === 0) continue;
      const start = choice(starts);
      yield [start, removing ? undefined : choice(numbers.filter((square) => square !== start)), reason];
    }
    if (removing) {
      const kept = own.filter((square) => !listed.some((move) => move.from_square === square));
      yield [choice(kept), undefined, "NOT_REMOVABLE"];
    } else if (!kinds.has("MOVE_KIND_CAPTURE") && own.length > 1) {
      const start = choice(own);
      yield [start, choice(own.filter((square) => square !== start)), "OCCUPIED"];
    } else if (!kinds.has("MOVE_KIND_STEP")) {
      const step = choice(this.lines.filter(([start, end]) => own.includes(start) && !pieces.has(end)
        && !listed.some((move) => move.from_square === start && move.to_square === end)));
      if (step) yield [...step, this.mayStep(pieces.get(step[0]), ...step) ? "MUST_CAPTURE" : undefined];
    }
  }

  /** Whether a piece could step to an adjacent empty square, were no capture possible. */
  mayStep({ color, role }, from, to) {
    const [start, end] = [this.squares.get(from), this.squares.get(to)];
    const { steps } = this.roles.get(role)[color === "COLOR_WHITE" ? "white" : "black"];
    const barred = role === "ROLE_MAN" && start.no_step_for.includes(color);
    const direction = COMPASS[end.row - start.row + 1][end.column - start.column + 1];
    return !barred && steps.includes(`DIRECTION_${direction}`);
  }

  summary() {
    const { COLOR_WHITE: white = 0, COLOR_BLACK: black = 0 } = this.winners;
    const refused = Object.entries(this.refusals).map((entry) => entry.join(" ")).join(", ");
    const played = `${GAMES} games, ${this.plies} plies (${this.drawn} drawn), White won ${white}, Black ${black}`;
    return `${this.info.name}: ${played}; refused: ${refused}`;
  }
}

/** Each is refused with its reason and the path of the field. */
async function checkBadRequests(variant) {
  const men = { color: "COLOR_WHITE", role: "ROLE_MAN", squares: [20, 20] };
  const turn = "COLOR_WHITE";
  for (const [game, text, reason, field] of [
    [{ variant: 99 }, "1-2", "INVALID_FIELD", "game.variant"],
    [{ position: { placement: { turn } } }, "1-2", "INVALID_FIELD", "game.variant"],
    [{}, "1-2", "INVALID_FIELD", "game.variant"],
    [{ variant, position: { placement: { pieces: [men] } } }, "1-2", "INVALID_FIELD",
      "game.position.placement.turn"],
    [{ variant, position: { fen: "" } }, "1-2", "MALFORMED_FEN", "game.position.fen"],
    [{ variant, position: { fen: "W:Wz99:B" } }, "1-2", "INVALID_POSITION", "game.position.fen"],
    [{ variant, position: { placement: { turn, pieces: [men] } } }, "1-2", "INVALID_POSITION",
      "game.position.placement.pieces[0].squares[1]"],
    [{ variant, position: { placement: { turn } } }, "1-2", "INVALID_POSITION", "game.position.placement"],
    [{ variant }, "to the left", "MALFORMED_MOVE", "move.text"],
  ]) {
    const { info, details } = await refusal({ game, move: { text } });
    assert.equal(info.reason, reason);
    assert.ok(details["google.rpc.BadRequest"].field_violations.some((violation) => violation.field === field));
  }
}

const { variants } = await rpc.ListVariants({});
await checkBadRequests(variants[0].variant);
let [accepted, refused] = [0, 0];
for (const info of variants) {
  const described = await rpc.GetVariant({ variant: info.variant });
  assert.deepEqual(described.info, info);
  const player = new Player(described);
  for (let number = 1; number <= GAMES; number += 1) {
    await player.play().catch((cause) => {
      throw new Error(`${info.name}, seed ${seed}, game ${number}: ${player.trace.join(" ")}`, { cause });
    });
  }
  console.log(player.summary());
  assert.ok(player.refusals.NOT_YOUR_PIECE >= 10);
  accepted += player.accepted;
  refused += Object.values(player.refusals).reduce((sum, times) => sum + times);
}
client.close();
const played = `${variants.length} variants, ${GAMES * variants.length} games`;
console.log(`clients node: ${played}, ${accepted} moves accepted, ${refused} refused, 0 failed`);
