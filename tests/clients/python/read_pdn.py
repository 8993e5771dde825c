"""Other programs read the PDN that the service writes: read_pdn.py pydraughts|py-draughts FOLDER HOST:PORT [SEED]

Both libraries call their package "draughts", as the stubs do; so each has a folder, which joins the path when the stubs are
loaded.
"""

import importlib
import random
import re
import sys

import grpc

GAMES, PLIES = 6, 120
# The names under which pydraughts knows the numbers of GameType.
PYDRAUGHTS = {
    "CHECKERS": "english", "ITALIAN": "italian", "RUSSIAN": "russian", "BRAZILIAN": "brazilian", "CANADIAN": "canadian",
    "PORTUGUESE": "portuguese", "CZECH": "czech", "TURKISH": "turkish", "THAI": "thai", "INTERNATIONAL": "standard",
}
# py-draughts plays what it reads, by rules of its own.
PY_DRAUGHTS = {"INTERNATIONAL": "standard", "RUSSIAN": "russian", "BRAZILIAN": "brazilian"}


def load_stubs():
    """The stubs; afterwards there is room for a library of the same name."""
    names = ["game_pb2", "rules_service_pb2", "variant_pb2", "rules_service_pb2_grpc"]
    stubs = [importlib.import_module(f"draughts.v1.{name}") for name in names]
    for name in [name for name in sys.modules if name.split(".")[0] == "draughts"]:
        del sys.modules[name]
    return stubs


def random_game(stub, game, rules, number, chance):
    """The texts of a random game."""
    subject = game.Game(variant=number, begins_at_position=True)
    texts = []
    for _ in range(PLIES):
        request = rules.GenerateLegalMovesRequest(
            game=subject, parts=[rules.MOVE_PART_NOTATION, rules.MOVE_PART_POSITION_AFTER])
        moves = stub.GenerateLegalMoves(request).moves
        if not moves:
            break
        chosen = chance.choice(moves)
        texts.append(chosen.notation)
        subject = game.Game(variant=number, position=chosen.position_after.position)
    return texts


def numbers(fen):
    """The pieces of a FEN of numbers, by side, kings apart."""
    sides = {}
    for part in re.search(r'[WB]:([WB][^"\]]*)', fen).group(1).rstrip(".").split(":"):
        sides[part[0]] = sorted(part[1:].split(",")) if part[1:] else []
    return sides


def placement(position, white):
    """The same of a position of the service."""
    sides = {"W": [], "B": []}
    for pieces in position.placement.pieces:
        prefix = "K" if pieces.role == 2 else ""
        sides["W" if pieces.color == white else "B"] += [f"{prefix}{square}" for square in pieces.squares]
    return {side: sorted(squares) for side, squares in sides.items()}


def check_pydraughts(reader, name, replay, texts):
    games = reader.PDNReader(pdn_text=replay.pdn).games
    assert len(games) == 1, (name, len(games))
    assert (games[0].variant, games[0].moves) == (PYDRAUGHTS[name], texts), (name, games[0].moves, texts)
    assert games[0].tags["White"] == "White, A.", games[0].tags


def check_py_draughts(boards, name, replay, white):
    board = boards[name].Board.from_pdn(replay.pdn)
    assert numbers(board.fen) == placement(replay.position.position, white), (name, board.fen, replay.position.fen)


def main():
    library, folder, address = sys.argv[1:4]
    seed = int(sys.argv[4]) if len(sys.argv) > 4 else 1
    game, rules, variant, service = load_stubs()
    sys.path.insert(0, folder)
    names = PYDRAUGHTS if library == "pydraughts" else PY_DRAUGHTS
    if library == "pydraughts":
        reader = importlib.import_module("draughts.PDN")
    else:
        boards = {name: importlib.import_module(f"draughts.boards.{board}") for name, board in names.items()}
    chance = random.Random(seed)
    count = 0
    with grpc.insecure_channel(address) as channel:
        stub = service.RulesServiceStub(channel)
        for name in names:
            number = variant.Variant.Value(f"VARIANT_{name}")
            for _ in range(GAMES):
                texts = random_game(stub, game, rules, number, chance)
                subject = game.Game(variant=number, moves=[game.MoveInput(text=text) for text in texts])
                replay = stub.ReplayGame(rules.ReplayGameRequest(
                    game=subject, tags=[game.Tag(name="White", value="White, A.")],
                    options=rules.ReplayOptions(with_pdn=True, without_plies=True))).replay
                if library == "pydraughts":
                    check_pydraughts(reader, name, replay, texts)
                else:
                    check_py_draughts(boards, name, replay, variant.COLOR_WHITE)
                count += 1
    print(f"{library} reads {count} games as they were played")


main()
