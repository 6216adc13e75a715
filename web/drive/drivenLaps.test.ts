import { expect, test } from 'vitest'
import { ServerClock } from '#client/serverClock.ts'
import type { Lap, LapTable } from '#contract/laps.ts'
import type { Fix } from '#contract/positions.ts'
import { zolder } from '#contract/shared/circuits/zolder.ts'
import { driveAround, durationMs } from '#testing/drives.ts'
import { drivenFixes } from '#testing/live/drivenLaps.ts'
import { DrivenLaps } from './drivenLaps.ts'

const startMs = 1_700_000_000_000
const lapMs = durationMs(driveAround(zolder))
const drive = drivenFixes(startMs, { laps: 8 })

const { outline } = zolder
const circuit = { id: 'c1', version: 1, outline, line: zolder.startFinish }

/** A phone whose clock is right, with the laps that an earlier page stored. It knows the circuit of its session. */
function phone({
  stored = new Map(),
  isSynchronized = true,
  isCircuitKnown = true,
}: {
  stored?: Map<string, string>
  isSynchronized?: boolean
  isCircuitKnown?: boolean
} = {}) {
  let passedMs = 0
  const clock = {
    now: () => startMs + passedMs,
    monotonicMs: () => passedMs,
    after: () => () => undefined,
    every: () => () => undefined,
  }
  const serverClock = new ServerClock(clock, 0, 'page')
  if (isSynchronized) {
    const sentAt = serverClock.request()
    serverClock.addSample(clock.now(), sentAt, clock.monotonicMs())
  }
  const store = {
    read: (key: string) => stored.get(key) ?? null,
    write: (key: string, text: string) => void stored.set(key, text),
    remove: (key: string) => void stored.delete(key),
  }
  const pass = (ms: number) => {
    passedMs += ms
  }
  const isFirst = stored.size === 0
  const laps = new DrivenLaps({ sessionId: 's1', serverClock, store })
  if (isCircuitKnown && isFirst) laps.setCircuit(circuit)
  return { laps, stored, serverClock, clock, pass }
}

async function driven(fixes: readonly Fix[], options: Parameters<typeof phone>[0] = {}) {
  const each = phone(options)
  await each.laps.recover([], new AbortController().signal)
  for (const fix of fixes) each.laps.add(fix)
  return each
}

function upTo(laps: number): Fix[] {
  return drive.filter(({ at }) => at <= startMs + laps * lapMs)
}

function table(laps: readonly Lap[], values: Partial<LapTable> = {}): LapTable {
  return {
    lapTiming: true,
    circuit: null,
    gpsPoor: false,
    laps: [...laps],
    pending: false,
    ...values,
  }
}

test('the first reading after the line shows the lap; its confirmation keeps the time', async () => {
  const { laps } = await driven(upTo(3.97))
  expect(laps.board?.lap).toBe('Lap 2')
  const [next] = drive.filter(({ at }) => at > startMs + 4 * lapMs)
  for (const fix of drive.filter(({ at }) => at > startMs + 3.97 * lapMs && at <= next!.at))
    laps.add(fix)
  expect(laps.board?.lap).toBe('Lap 3')
  const { time } = laps.board!
  for (const fix of drive.filter(({ at }) => at > next!.at && at < next!.at + 20_000)) laps.add(fix)
  expect(laps.board).toMatchObject({ lap: 'Lap 3', time })
  expect(laps.laps).toHaveLength(4)
})

test('within a lap the delta changes at some points, not with each reading', async () => {
  const { laps } = await driven(upTo(5.1))
  const tones = new Set<string>()
  laps.onChange(() => tones.add(JSON.stringify(laps.board)))
  const sinceMs = startMs + 5 * lapMs
  const lap = drive.filter(({ at }) => at > sinceMs + 0.1 * lapMs && at < sinceMs + 0.95 * lapMs)
  // 3 % slower than the laps before.
  for (const fix of lap) laps.add({ ...fix, at: Math.round(sinceMs + (fix.at - sinceMs) * 1.03) })
  expect(tones.size).toBeGreaterThanOrEqual(3)
  expect(tones.size).toBeLessThanOrEqual(8)
  expect(laps.board?.delta).toMatchObject({ than: 'than average', isCurrent: true })
})

test('the first lap after one over a gap has its time as soon as it ends', async () => {
  const [next] = drive.filter(({ at }) => at > startMs + 7 * lapMs)
  const { laps } = await driven(
    drive.filter(
      ({ at }) => at < startMs + 4.5 * lapMs || (at > startMs + 5.5 * lapMs && at <= next!.at),
    ),
  )
  const { time } = laps.board!
  expect(laps.laps.at(-2)).toMatchObject({ isSeen: false, endsAtLine: true })
  for (const fix of drive.filter(({ at }) => at > next!.at && at < next!.at + 20_000)) laps.add(fix)
  expect(laps.board?.time).toMatch(/^1:\d\d\.\d$/)
  expect(time).toBe(laps.board?.time)
})

test('a correction of a tenth or more replaces the time, a smaller one does not', async () => {
  const { laps } = await driven(upTo(4.2))
  const own = [...laps.laps]
  const { time } = laps.board!
  laps.setTable(table(own.map(lap => ({ ...lap, timeMs: lap.timeMs + 60 }))))
  expect(laps.board?.time).toBe(time)
  laps.setTable(table(own.map(lap => (lap.number === 3 ? { ...lap, timeMs: 101_200 } : lap))))
  expect(laps.board).toMatchObject({ lap: 'Lap 3', time: '1:41.2' })
})

test('laps that the server has not received stay as the phone timed them', async () => {
  const { laps } = await driven(upTo(7.5))
  const own = [...laps.laps]
  const { board } = laps
  const [fourth, fifth, sixth] = own.slice(-3) as [Lap, Lap, Lap]
  const timeMs = fifth.startedAt + fifth.timeMs - fourth.startedAt
  const gap = { ...fourth, timeMs, kind: 'incomplete', isSeen: false, endsAtLine: true } as const
  laps.setTable(table([...own.slice(0, -3), gap]))
  expect(laps.board).toEqual(board)
  laps.setTable(table([...own.slice(0, -3), gap, { ...sixth, number: sixth.number - 1 }]))
  expect(laps.board).toEqual(board)
  expect(laps.laps).toEqual(own)
})

test('after a reload laps continue with the numbers of the server', async () => {
  const before = await driven(upTo(4.4))
  const after = await driven(upTo(7.5).filter(({ at }) => at > startMs + 4.5 * lapMs))
  expect(after.laps.laps.map(({ kind }) => kind)).toEqual(['out', 'full', 'full'])
  after.laps.setTable(table(before.laps.laps))
  expect(after.laps.laps.map(({ number }) => number)).toEqual([0, 1, 2, 3, 4, 5, 6])
  // The lap of the reload has both of its crossings.
  expect(Math.abs(after.laps.laps[4]!.timeMs - lapMs)).toBeLessThan(300)
})

test('after a reload without a network the stored laps and the unsent fixes continue', async () => {
  const { stored } = await driven(upTo(3.4))
  const { laps } = phone({ stored })
  expect(laps.board?.lap).toBe('Lap 2')
  const unsent = drive.filter(({ at }) => at > startMs + 3.2 * lapMs && at < startMs + 5.5 * lapMs)
  const late = drive.find(({ at }) => at > startMs + 5.5 * lapMs)!
  laps.add(late)
  await laps.recover(unsent, new AbortController().signal)
  expect(laps.board?.lap).toBe('Lap 4')
  for (const fix of drive.filter(({ at }) => at > late.at && at < startMs + 6.2 * lapMs))
    laps.add(fix)
  expect(laps.laps.map(({ number }) => number)).toEqual([0, 1, 2, 3, 4, 5])
})

test('the circuit of the session counts, also after a reload without a network', async () => {
  const { laps, stored } = await driven(upTo(3.6))
  const line = outline[Math.round(outline.length / 2)]!
  laps.setCircuit({ ...circuit, version: 2, line })
  const apartMs = () => (laps.laps[1]!.startedAt - startMs) % lapMs
  await expect.poll(apartMs).toBeGreaterThan(0.2 * lapMs)
  expect(apartMs()).toBeLessThan(0.8 * lapMs)

  const after = phone({ stored })
  await after.laps.recover(upTo(4.9), new AbortController().signal)
  expect(after.laps.laps.at(-1)!.startedAt % lapMs).toBeCloseTo(laps.laps[1]!.startedAt % lapMs, -3)
})

test.each([
  ['shipped', 0, 3],
  ['learned', 1, 4],
])('a %s circuit is found where the server knows none', async (_what, south, full) => {
  const { laps } = await driven([], { isCircuitKnown: false })
  for (const fix of upTo(4.2)) laps.add({ ...fix, latitude: fix.latitude! - south })
  await expect.poll(() => laps.laps.filter(({ kind }) => kind === 'full').length).toBe(full)
})

test('nothing is stored once the drive is over', async () => {
  const { laps, stored } = phone()
  const over = new AbortController()
  over.abort()
  await laps.recover(upTo(4), over.signal)
  expect(laps.board).toBeNull()
  expect(JSON.parse([...stored.values()][0]!).laps).toEqual([])
})

test('deleted laps are not shown any more', async () => {
  const { laps, stored } = await driven(upTo(4.2))
  laps.setTable(table(laps.laps))
  laps.setTable(table([]))
  expect(laps.board).toBeNull()
  expect(JSON.parse([...stored.values()][0]!).laps).toEqual([])
})

test('listeners are notified of laps that do not change the board', async () => {
  const { laps } = await driven(upTo(4.2))
  laps.setTable(table(laps.laps))
  const board = JSON.stringify(laps.board)
  let changes = 0
  laps.onChange(() => {
    changes += 1
  })
  const [first, ...others] = laps.laps
  laps.setTable(table([{ ...first!, marked: true }, ...others]))
  expect(JSON.stringify(laps.board)).toBe(board)
  expect(laps.laps[0]).toMatchObject({ marked: true })
  expect(changes).toBe(1)
})

test('a lap with FCY is not compared', async () => {
  const { laps, stored, pass } = await driven(upTo(4.3))
  const at = startMs + Math.round(4.3 * lapMs)
  pass(at - startMs)
  laps.setMessage({ version: 1, type: 'FCY', sentAt: at })
  laps.setMessage({ version: 2, type: null, sentAt: at + 5000 })
  // The lap before, of which the large time is.
  expect(laps.board).toMatchObject({ lap: 'Lap 3', delta: { isCurrent: false } })
  for (const fix of drive.filter(({ at: each }) => each > at && each < startMs + 5.15 * lapMs))
    laps.add(fix)
  const yellow = { number: 4, yellow: true, yellowMessage: 'FCY' }
  expect(laps.board?.delta).toMatchObject({ text: 'Last lap had an FCY.' })
  expect(laps.laps.at(-1)).toMatchObject(yellow)
  expect(phone({ stored }).laps.laps.at(-1)).toMatchObject(yellow)
})

test('the official flag decides while it is known, also without the server', async () => {
  const { laps, pass, clock } = await driven(upTo(4.3))
  pass(Math.round(4.3 * lapMs))
  laps.setMessage({ version: 1, type: 'FCY', sentAt: clock.now() - 1000 })
  const flag = (name: string, change: number, since: number, seenAt: number) =>
    laps.setFlag({ feed: 'f1', change, flag: name, since, seenAt, shownAt: null })
  const green = clock.now() - 60_000
  flag('Green', 1, green, clock.now())
  expect(laps.board?.delta.tone).not.toBe('note')
  const drivenTo = (lap: number) => {
    const from = clock.now()
    for (const fix of drive.filter(({ at }) => at > from && at < startMs + lap * lapMs)) {
      pass(fix.at - clock.now())
      if (lap < 6) flag('Green', 1, green, fix.at)
      laps.add(fix)
    }
  }
  drivenTo(5.15)
  expect(laps.laps.at(-1)).toMatchObject({ number: 4, yellow: false, yellowMessage: null })
  // Without a line of the source for 5 s the message decides again.
  drivenTo(6.15)
  expect(laps.board?.delta).toMatchObject({ text: 'Last lap had an FCY.' })
  expect(laps.laps.at(-1)).toMatchObject({ number: 5, yellow: true, yellowMessage: 'FCY' })
  flag('Yellow', 9, clock.now() - 20_000, clock.now())
  expect(laps.board?.delta).toMatchObject({ text: 'Official flag in it: Yellow.' })
})

test('a flag by hand counts until a later message, or until it is undone', async () => {
  const { laps, pass, clock } = await driven(upTo(4.3))
  pass(Math.round(4.3 * lapMs))
  const enteredAt = clock.now() - 15_000
  const enter = (feed: string, flag: string, since: number) =>
    laps.setFlag({ feed, change: 1, flag, since, seenAt: clock.now(), shownAt: null, byHand: null })
  const reason = () => (laps.board?.delta.tone === 'note' ? laps.board.delta.text : null)
  const fcy = 'Last lap had an FCY.'
  laps.setMessage({ version: 1, type: 'FCY', sentAt: enteredAt - 5000 })
  enter('e1', 'Green', enteredAt)
  laps.setMessage({ version: 2, type: null, sentAt: enteredAt + 1000 })
  pass(2 * lapMs)
  for (const fix of drive.filter(({ at }) => at > enteredAt + 15_000 && at < clock.now()))
    laps.add(fix)
  expect(reason()).toBeNull()
  // Later than the flag, which is sent again.
  const inLastLap = startMs + 5.9 * lapMs
  laps.setMessage({ version: 3, type: 'FCY', sentAt: inLastLap })
  enter('e1', 'Green', enteredAt)
  expect(reason()).toBe(fcy)
  enter('e2', 'Red', inLastLap)
  expect(reason()).toBe('Official flag in it: Red.')
  laps.setFlag(null)
  expect(reason()).toBe(fcy)
  enter('e2', 'Red', inLastLap)
  expect(reason()).toBe('Official flag in it: Red.')
  // Undone: the green one before it is too old for the glass.
  const old = { feed: 'e1', change: 1, flag: null, since: enteredAt, byHand: null }
  laps.setFlag({ ...old, seenAt: clock.now(), shownAt: null })
  expect(reason()).toBe(fcy)
})

test('readings before the time of the server is known get their right time', async () => {
  const { laps, serverClock, clock, pass } = await driven([], { isSynchronized: false })
  for (const [index, fix] of upTo(2.2).entries()) {
    pass(index === 0 ? 0 : 1000)
    laps.add({ ...fix, ...serverClock.timeOf() })
  }
  const sentAt = serverClock.request()
  serverClock.addSample(clock.now() + 40_000, sentAt, clock.monotonicMs())
  const next = drive.find(({ at }) => at > startMs + 2.2 * lapMs)!
  laps.add({ ...next, at: next.at + 40_000 })
  await expect.poll(() => laps.laps[1]!.startedAt - startMs).toBeCloseTo(lapMs + 40_000, -3)
})
