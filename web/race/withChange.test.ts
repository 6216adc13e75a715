import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Lap, LapsChange, LapTable } from '#contract/laps.ts'
import { withChange } from './withChange.ts'

function lap(number: number, timeMs = 100_000): Lap {
  return {
    number,
    startedAt: number * 100_000,
    timeMs,
    plusMinusMs: 100,
    kind: 'full',
    isSeen: true,
    yellow: false,
    yellowMessage: null,
    marked: false,
  }
}

function table(laps: readonly Lap[], revision?: number): LapTable {
  const circuit = { name: 'Circuit Zolder', lengthM: 4010 }
  return {
    lapTiming: true,
    circuit,
    gpsPoor: false,
    laps: [...laps],
    pending: false,
    ...(revision !== undefined && { revision }),
  }
}

function change(revision: number, values: Partial<LapsChange> = {}): LapsChange {
  return { revision, gpsPoor: false, laps: [], removed: [], ...values }
}

test('the next change adds, corrects and removes laps, and keeps the rest of the table', () => {
  const before = table([lap(1), lap(2), lap(4)], 7)
  const next = change(8, { gpsPoor: true, laps: [lap(5), lap(2, 99_000), lap(3)], removed: [4] })
  expect(withChange(before, next)).toEqual({
    ...table([lap(1), lap(2, 99_000), lap(3), lap(5)], 8),
    gpsPoor: true,
  })
  expect(before).toEqual(table([lap(1), lap(2), lap(4)], 7))
})

test('a change that the table already includes returns the same table', () => {
  const known = table([lap(1)], 7)
  expect(withChange(known, change(7, { removed: [1] }))).toBe(known)
  expect(withChange(known, change(6, { laps: [lap(9)] }))).toBe(known)
})

test('after a missed change, or without a revision, the table must be requested', () => {
  expect(withChange(table([lap(1)], 7), change(9, { laps: [lap(2)] }))).toBeNull()
  expect(withChange(table([lap(1)]), change(1, { laps: [lap(2)] }))).toBeNull()
})

test('changes in any order give the newest table, or a request', () => {
  const timesOf = fc.uniqueArray(fc.record({ number: fc.nat(6), timeMs: fc.nat(3) }), {
    selector: ({ number }) => number,
  })
  fc.assert(
    fc.property(
      fc.array(timesOf, { minLength: 1, maxLength: 6 }),
      fc.infiniteStream(fc.nat()),
      (lists, random) => {
        const tables = lists.map((times, revision) =>
          table(
            times
              .map(({ number, timeMs }) => lap(number, timeMs))
              .sort((a, b) => a.number - b.number),
            revision,
          ),
        )
        const changes = tables.slice(1).map((after, index) => changeBetween(tables[index]!, after))
        let shown = tables[0]!
        // A few events are lost, repeated or late.
        for (let each = 0; changes.length > 0 && each < 12; each++) {
          const next = changes[random.next().value % changes.length]!
          const merged = withChange(shown, next)
          const newest = tables[Math.max(next.revision, shown.revision!)]!
          expect(merged).toEqual(next.revision > shown.revision! + 1 ? null : newest)
          shown = merged ?? newest
        }
      },
    ),
  )
})

function changeBetween(before: LapTable, after: LapTable): LapsChange {
  const [old, now] = [before, after].map(
    ({ laps }) => new Map(laps.map(each => [each.number, each])),
  )
  return change(after.revision!, {
    laps: after.laps.filter(each => old!.get(each.number)?.timeMs !== each.timeMs),
    removed: before.laps.map(({ number }) => number).filter(number => !now!.has(number)),
  })
}
