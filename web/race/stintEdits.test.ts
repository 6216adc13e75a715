import { expect, test } from 'vitest'
import type { Stint } from '#contract/carRaces.ts'
import type { StintEdit } from '#contract/stints.ts'
import { addedStint, changedStint, inTwoCars, removedStint } from './stintEdits.ts'

const stints: Stint[] = [
  { id: 's1', number: 1, sessionId: 's1', driverId: 'ana', from: 1000, to: 2000 },
  { id: 'b', number: 2, sessionId: 's1', driverId: 'leo', from: 2000, to: 3000 },
  { id: 'c', number: 3, sessionId: 's1', driverId: 'ana', from: 3000, to: null },
]
const driven = { stints, end: 4000 }

function ids() {
  let count = 0
  return () => `new${++count}`
}

const startsOf = (all: readonly { from: number }[]) => all.map(({ from }) => from)

/** Applies steps as the server does, and returns the stints. No step may give two stints one start. */
function after(edits: readonly StintEdit[], before: readonly Stint[] = stints) {
  return edits.reduce(
    (all, edit) => {
      const others = all.filter(({ id }) => id !== edit.stintId)
      if (edit.kind === 'remove') return others
      const { stintId: id, driverId, from } = edit
      return startsOf(others).includes(from)
        ? others
        : [...others, { id, driverId, from }].sort((a, b) => a.from - b.from)
    },
    before.map(({ id, driverId, from }) => ({ id, driverId, from })),
  )
}

const shown = (all: readonly { driverId: string | null; from: number }[]) =>
  all.map(({ driverId, from }) => [driverId, from])

function editOf(edit: ReturnType<typeof addedStint>) {
  if ('conflict' in edit) throw new Error(edit.conflict.kind)
  return edit
}

test('a stint inside another one divides it, and undoing joins it again', () => {
  const { edits, undo } = editOf(
    addedStint(driven, { driverId: 'mia', from: 2200, to: 2600 }, ids()),
  )
  expect(shown(after(edits))).toEqual([
    ['ana', 1000],
    ['leo', 2000],
    ['mia', 2200],
    ['leo', 2600],
    ['ana', 3000],
  ])
  expect(shown(after([...edits, ...undo]))).toEqual(shown(stints))
})

test('a stint without an end lasts until the next one', () => {
  for (const to of [null, 3000]) {
    const { edits } = editOf(addedStint(driven, { driverId: 'mia', from: 2200, to }, ids()))
    expect(edits).toHaveLength(1)
  }
})

test('a stint that covers another one, or is outside the session, is a conflict', () => {
  const add = (from: number, to: number | null) =>
    addedStint(driven, { driverId: 'mia', from, to }, ids())
  expect(add(2200, 3001)).toEqual({ conflict: { kind: 'overlap', stint: stints[2] } })
  expect(add(2000, 2100)).toEqual({ conflict: { kind: 'overlap', stint: stints[1] } })
  expect(add(2500, 2500)).toEqual({ conflict: { kind: 'order' } })
  for (const [from, to] of [
    [1000, 1500],
    [900, null],
    [4000, null],
    [3500, 4001],
  ] as const)
    expect(add(from, to)).toEqual({ conflict: { kind: 'outside', from: 1000, to: 4000 } })
})

test.each([
  [1500, 2500],
  [2500, 3500],
  [3200, 3500],
  [1200, 1500],
  [2000, 3000],
])('a stint moves to %d–%d with its neighbours, and back', (from, to) => {
  const { edits, undo } = editOf(changedStint(driven, 'b', { driverId: 'mia', from, to }))
  expect(shown(after(edits))).toEqual([
    ['ana', 1000],
    ['mia', from],
    ['ana', to],
  ])
  expect(shown(after([...edits, ...undo]))).toEqual(shown(stints))
})

test('a correction that leaves a neighbour no time is a conflict', () => {
  const change = (from: number, to: number) =>
    changedStint(driven, 'b', { driverId: 'leo', from, to })
  expect(change(1000, 3000)).toEqual({ conflict: { kind: 'overlap', stint: stints[0] } })
  expect(change(2000, 4000)).toEqual({ conflict: { kind: 'overlap', stint: stints[2] } })
  expect(change(2500, 2400)).toEqual({ conflict: { kind: 'order' } })
  expect(change(900, 2400)).toMatchObject({ conflict: { kind: 'outside' } })
})

test('the first stint changes its driver and end, the last one its driver and start', () => {
  const first = editOf(changedStint(driven, 's1', { driverId: null, from: 1000, to: 1500 }))
  expect(shown(after(first.edits))).toEqual([
    [null, 1000],
    ['leo', 1500],
    ['ana', 3000],
  ])
  const last = editOf(changedStint(driven, 'c', { driverId: 'mia', from: 2500, to: null }))
  const was = { driverId: 'ana', from: 3000 }
  expect(last.edits).toEqual([{ kind: 'change', stintId: 'c', driverId: 'mia', from: 2500, was }])
})

test('undoing a removal uses a new id; the first stint cannot be removed', () => {
  const edit = removedStint(stints, 'b', ids())!
  expect(shown(after(edit.edits))).toEqual([
    ['ana', 1000],
    ['ana', 3000],
  ])
  expect(after([...edit.edits, ...edit.undo])[1]).toEqual({
    id: 'new1',
    driverId: 'leo',
    from: 2000,
  })
  expect(removedStint(stints, 's1', ids())).toBeNull()
})

test('a stint that ends with its phone keeps its end, and the next one its start', () => {
  const apart = [stints[0]!, { ...stints[1]!, to: 2500 }, stints[2]!]
  const edit = editOf(
    changedStint({ stints: apart, end: 4000 }, 'b', { driverId: 'mia', from: 2000, to: null }),
  )
  expect(shown(after(edit.edits, apart))).toEqual([
    ['ana', 1000],
    ['mia', 2000],
    ['ana', 3000],
  ])
  const added = editOf(
    addedStint({ stints: apart, end: 4000 }, { driverId: 'mia', from: 2200, to: 2500 }, ids()),
  )
  expect(shown(after(added.edits, apart))).toEqual([
    ['ana', 1000],
    ['leo', 2000],
    ['mia', 2200],
    ['ana', 3000],
  ])
})

test('a driver in two cars at once is found', () => {
  const other = (driverId: string, from: number, to: number | null) => ({ driverId, from, to })
  const otherCars = [other('ana', 500, 1200), other('leo', 3000, 3500), other('ana', 2500, null)]
  expect(inTwoCars({ stints, otherCars }, 3600)).toEqual([
    { driverId: 'ana', sessionId: 's1', from: 1000, to: 1200 },
    { driverId: 'ana', sessionId: 's1', from: 3000, to: 3600 },
  ])
})
