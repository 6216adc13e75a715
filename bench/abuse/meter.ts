import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { fixIntervalMs, heartbeatIntervalMs } from '#contract/shared/liveRules.ts'
import { fix } from '#testing/live/liveScene.ts'
import { TestConnection } from '#testing/live/testConnection.ts'
import { percentile } from '../statistics.ts'

/** A car that is not attacked: its driver, and a member of its team. */
export interface MeasuredCar {
  url: string
  session: string
  driver: string
  member: string
  /** The team's network address, possibly shared with an attacker. */
  from: string
}

/**
 * Latency from the press (the HTTP request) to the driver's connection, and the number of receipts
 * received.
 */
export interface Reading {
  presses: number
  arrived: number
  receipts: number
  p50Ms: number
  p99Ms: number
}

const pressEveryMs = 200
/** Timeout after which a message counts as lost. */
const timeoutMs = 8000

/** Sends messages at a fixed rate, whether or not the previous one has arrived, and counts the arrivals. */
export async function measure(
  measured: MeasuredCar,
  type: 'Pit' | 'Abort',
  presses: number,
): Promise<Reading> {
  const connection = (token: string) =>
    new TestConnection(measured.url, {
      authorization: `Bearer ${token}`,
      'x-forwarded-for': measured.from,
    }).greet()
  const [car, wall] = await Promise.all([connection(measured.driver), connection(measured.member)])
  car.send({ t: 'drive', session: measured.session })
  wall.send({ t: 'subscribe', room: `session:${measured.session}` })
  const heartbeats = setInterval(() => {
    for (const each of [car, wall]) each.send({ t: 'heartbeat', at: performance.now() })
  }, heartbeatIntervalMs)
  await Promise.all([car.next('snapshot'), wall.next('snapshot')])
  const fixes = setInterval(() => car.send(fix()), fixIntervalMs)

  const pressedAt = new Map<number, number>()
  const arrivedAt = new Map<number, number>()
  const shown = new Set<number>()
  const reading = (async () => {
    for (;;) {
      const { message } = await car.next('message')
      arrivedAt.set(message.version, performance.now())
      car.send({ t: 'receipt', version: message.version, stage: 'shown', at: Date.now() })
    }
  })()
  const receipts = (async () => {
    for (;;)
      shown.add((await wall.next('receipt', ({ receipt }) => receipt.shownAt !== null)).version)
  })()
  // Both loops run until the connections are closed below.
  const ended = Promise.allSettled([reading, receipts])

  try {
    const sent: Promise<void>[] = []
    for (let n = 0; n < presses; n++) {
      sent.push(press(measured, type, pressedAt))
      await pause(pressEveryMs)
    }
    const deadline = performance.now() + timeoutMs
    const isComplete = () => shown.size === presses
    await Promise.race([Promise.all(sent), pause(timeoutMs)])
    while (!isComplete() && performance.now() < deadline) await pause(20)
  } finally {
    clearInterval(heartbeats)
    clearInterval(fixes)
    for (const each of [car, wall]) each.close()
    await ended
  }
  const tookMs = [...pressedAt].flatMap(([version, at]) => {
    const arrived = arrivedAt.get(version)
    return arrived === undefined ? [] : [arrived - at]
  })
  return {
    presses,
    arrived: tookMs.length,
    receipts: shown.size,
    p50Ms: percentile(tookMs, 50),
    p99Ms: percentile(tookMs, 99),
  }
}

async function press(
  { url, session, member, from }: MeasuredCar,
  type: string,
  at: Map<number, number>,
) {
  const startedAt = performance.now()
  const response = await fetch(`${url}/api/messages.set`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${member}`,
      'content-type': 'application/json',
      'x-forwarded-for': from,
    },
    body: JSON.stringify({ sessionId: session, type, commandId: randomUUID() }),
  })
  const answer = (await response.json()) as { version: number }
  if (response.ok) at.set(answer.version, startedAt)
}
