import { WebSocket } from 'ws'
import { protocol } from '#contract/shared/liveRules.ts'
import type { Person } from '../people/person.ts'

/** A driver's live connection that records every event except responses to its own frames. */
export interface Watcher {
  /** Sends a fix, as data that could leak, and waits until it was handled. */
  drives(): Promise<void>
  /** Waits until all earlier frames have arrived, and returns the received events. */
  events(): Promise<string[]>
  close(): void
}

const heartbeatMs = 1000

/** The latitude of every fix that the watcher sends. */
export const watcherLatitude = 12.5

/** Subscribes to a team and drives its session until closed. Resolves after both snapshots. */
export async function openWatcher(
  url: string,
  person: Person,
  { teamId, sessionId }: { teamId: string; sessionId: string },
): Promise<Watcher> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/live`, {
    headers: { cookie: person.jar.header, origin: url },
  })
  const events: string[] = []
  const waiting = new Map<number, () => void>()
  let snapshots = 0
  let subscribed = () => {}
  const ready = new Promise<void>(resolve => {
    subscribed = resolve
  })
  let at = 0
  const beat = () => socket.send(JSON.stringify({ t: 'heartbeat', at: ++at }))

  socket.on('message', (data: Buffer) => {
    const text = data.toString()
    const frame = JSON.parse(text) as { t: string; at?: number }
    if (frame.t === 'welcome') return
    if (frame.t === 'heartbeat') return waiting.get(frame.at ?? 0)?.()
    if (frame.t === 'snapshot') {
      snapshots += 1
      if (snapshots === 2) subscribed()
      return
    }
    events.push(text)
  })
  socket.on('close', code => {
    events.push(`the watcher's connection closed with ${code}`)
    for (const resolve of waiting.values()) resolve()
  })
  socket.on('error', error => events.push(String(error)))
  await new Promise(resolve => socket.once('open', resolve))
  socket.send(JSON.stringify({ t: 'hello', protocol }))
  socket.send(JSON.stringify({ t: 'subscribe', room: `team:${teamId}` }))
  socket.send(JSON.stringify({ t: 'drive', session: sessionId }))
  const heartbeat = setInterval(beat, heartbeatMs)
  await ready
  async function roundTrip() {
    if (socket.readyState !== socket.OPEN) return
    const answered = new Promise<void>(resolve => waiting.set(at + 1, resolve))
    beat()
    await answered
  }

  const place = { la: watcherLatitude, lo: 5, v: 100, ac: 5, h: 90 }
  return {
    async drives() {
      socket.send(JSON.stringify({ t: 'fix', at: Date.now(), ...place }))
      await roundTrip()
    },
    async events() {
      await roundTrip()
      return events.splice(0)
    },
    close() {
      clearInterval(heartbeat)
      socket.removeAllListeners('close')
      socket.terminate()
    },
  }
}
