import { expect, test } from 'vitest'
import { Player } from './player.ts'

function scene({ last = 100_000, startAt = null as number | null } = {}) {
  let act: ((nowMs: number) => void) | null = null
  let nowMs = 0
  let ready = true
  const player = new Player({
    first: 1000,
    last,
    startAt,
    isReady: () => ready,
    nextFrame: next => {
      act = next
      return () => {
        act = null
      }
    },
  })
  const times: number[] = []
  player.onFrame(time => void times.push(time))
  return {
    player,
    times,
    setReady: (yes: boolean) => {
      ready = yes
    },
    /** Paints frames for this long. */
    pass(ms: number, frameMs = 20) {
      for (const end = nowMs + ms; nowMs < end; ) {
        nowMs += frameMs
        act?.(nowMs)
      }
    },
  }
}

test('it plays at its speed, and frames are more frequent than changes of state', () => {
  const { player, times, pass } = scene()
  let changes = 0
  player.onState(() => {
    changes += 1
  })
  player.play()
  pass(20)
  player.setSpeed(10)
  pass(3000)
  expect(player.state.speed).toBe(10)
  expect(times.at(-1)).toBe(1000 + 30_000)
  expect(times.length).toBeGreaterThan(140)
  // Play, speed, and one a second.
  expect(changes).toBeLessThanOrEqual(6)
  expect(player.state.time).toBeLessThanOrEqual(31_000)
})

test('it begins at the start of the race, if the car was driven after it', () => {
  const begins = (startAt: number | null) => scene({ startAt }).player.state.time
  expect(begins(61_000)).toBe(61_000)
  expect(begins(500)).toBe(1000)
  expect(begins(100_000)).toBe(1000)
  expect(begins(null)).toBe(1000)
})

test('it waits for positions, and stops at the end', () => {
  const { player, times, setReady, pass } = scene({ last: 5000 })
  player.play()
  pass(1020)
  setReady(false)
  pass(2000)
  expect(times.at(-1)).toBe(2000)
  expect(player.state).toMatchObject({ isPlaying: true, isWaiting: true })
  setReady(true)
  pass(5000)
  expect(player.state).toEqual({ time: 5000, isPlaying: false, speed: 1, isWaiting: false })
  player.play()
  pass(40)
  expect(times.at(-1)).toBe(1020)
})

test('a jump stays within the session', () => {
  const { player, times } = scene()
  player.seek(50_000)
  expect(player.state.time).toBe(50_000)
  player.seek(-1)
  expect(times.at(-1)).toBe(1000)
  player.seek(1e12)
  expect(player.state.time).toBe(100_000)
})

test('a frame after a pause of the page does not skip a part of the replay', () => {
  const { player, times, pass } = scene()
  player.play()
  pass(20)
  pass(60_000, 60_000)
  expect(times.at(-1)).toBe(1250)
})
