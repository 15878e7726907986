import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import {
  columnDate,
  kindText,
  LINEITEM_COLUMN_NAMES,
  LINEITEM_COLUMNS,
  type LineitemColumn,
  lineitemRows,
  type RowBlock,
  rowBlock,
} from "./rows.js";

function columnsOf({ column }: RowBlock) {
  return Object.fromEntries(LINEITEM_COLUMN_NAMES.map((name) => [name, column(name)])) as Record<
    LineitemColumn,
    Uint32Array
  >;
}

describe("lineitem's rows", () => {
  it("begin, at scale factor 1, as dbgen's lineitem.tbl begins", () => {
    const columns = columnsOf(rowBlock(0, 2, 1));
    const lines = Array.from({ length: 7 }, (_, row) =>
      LINEITEM_COLUMN_NAMES.map((name) => kindText(LINEITEM_COLUMNS[name], columns[name][row]!)).join("|"),
    );
    expect(lines).toEqual([
      "1|155190|7706|1|17|21168.23|0.04|0.02|N|O|1996-03-13|1996-02-12|1996-03-22|DELIVER IN PERSON|TRUCK",
      "1|67310|7311|2|36|45983.16|0.09|0.06|N|O|1996-04-12|1996-02-28|1996-04-20|TAKE BACK RETURN|MAIL",
      "1|63700|3701|3|8|13309.60|0.10|0.02|N|O|1996-01-29|1996-03-05|1996-01-31|TAKE BACK RETURN|REG AIR",
      "1|2132|4633|4|28|28955.64|0.09|0.06|N|O|1996-04-21|1996-03-30|1996-05-16|NONE|AIR",
      "1|24027|1534|5|24|22824.48|0.10|0.04|N|O|1996-03-30|1996-03-14|1996-04-01|NONE|FOB",
      "1|15635|638|6|32|49620.16|0.07|0.02|N|O|1996-01-30|1996-02-07|1996-02-03|DELIVER IN PERSON|MAIL",
      "2|106170|1191|1|38|44694.46|0.00|0.05|N|O|1997-01-28|1997-01-14|1997-02-02|TAKE BACK RETURN|RAIL",
    ]);
  });

  it("give the reference answers to the queries Q1 and (for ship modes) Q12 at scale factor 1", () => {
    const day = (text: string) => (Date.parse(text) - columnDate(0).getTime()) / 86_400_000;
    const [q1End, from, to] = [day("1998-09-02"), day("1994-01-01"), day("1995-01-01")];
    const groups: Record<string, { quantity: number; cents: number; rows: number }> = {};
    const late: Record<string, number> = {};
    for (const block of lineitemRows(1)) {
      const c = columnsOf(block);
      for (let i = 0; i < block.rows; i++) {
        if (c.shipdate[i]! <= q1End) {
          const name = `${LINEITEM_COLUMNS.returnflag[c.returnflag[i]!]}${LINEITEM_COLUMNS.linestatus[c.linestatus[i]!]}`;
          groups[name] ??= { quantity: 0, cents: 0, rows: 0 };
          groups[name].quantity += c.quantity[i]!;
          groups[name].cents += c.extendedprice[i]!;
          groups[name].rows++;
        }
        const received = c.receiptdate[i]!;
        if (c.commitdate[i]! < received && c.shipdate[i]! < c.commitdate[i]! && received >= from && received < to) {
          const mode = LINEITEM_COLUMNS.shipmode[c.shipmode[i]!]!;
          late[mode] = (late[mode] ?? 0) + 1;
        }
      }
    }
    // TPC-H's reference answers for query validation: Q1's sums of quantity and base price and its counts; Q12's counts of
    // high and low priority lines added.
    expect(groups).toEqual({
      AF: { quantity: 37_734_107, cents: 5_658_655_440_073, rows: 1_478_493 },
      NF: { quantity: 991_417, cents: 148_750_471_038, rows: 38_854 },
      NO: { quantity: 74_476_040, cents: 11_170_172_969_774, rows: 2_920_374 },
      RF: { quantity: 37_719_753, cents: 5_656_804_138_090, rows: 1_478_870 },
    });
    expect(late).toMatchObject({ MAIL: 6202 + 9324, SHIP: 6200 + 9262 });
  });

  it("are dbgen's at scale factor 17, amid the keys of which papers tell", () => {
    const indexOf = (key: number) => ((key >>> 5) << 3) + (key & 7) - 1;
    const [first, last] = [60_689_989, 61_200_000].map(indexOf) as [number, number];
    const { rows, column } = rowBlock(first, last + 1 - first, 17);
    expect(rows).toBe(510_400);
    const hash = createHash("sha256");
    const [orders, parts, lines] = (["orderkey", "partkey", "linenumber"] as const).map(column);
    const statuses = column("linestatus");
    for (let i = 0; i < rows; i++) {
      const status = LINEITEM_COLUMNS.linestatus[statuses[i]!];
      hash.update(`${orders![i]}|${parts![i]}|${lines![i]}|${status}\n`);
    }
    expect(hash.digest("hex")).toBe("fa0205abf9a9d2ad5858b9ddab5792d92dcbd2d67baf3aca774ee6d4d030b113");
  });

  it("are the same whether made in one block or in many", () => {
    const whole = rowBlock(0, 50, 0.01);
    const parts = [rowBlock(0, 20, 0.01), rowBlock(20, 30, 0.01)];
    for (const name of LINEITEM_COLUMN_NAMES) {
      expect(parts.flatMap(({ column }) => [...column(name)])).toEqual([...whole.column(name)]);
    }
  });
});
