import { WebSocket } from 'ws'
import type { Person } from '#testing/people/person.ts'

/** One end of the signalling of calls, as PeerJS opens it. */
export interface TestPeer {
  socket: WebSocket
  /** Resolves with the next signal received. */
  next(): Promise<unknown>
  send(signal: unknown): void
  close(): void
}

/** Opens a peer. Resolves once the server has admitted it. */
export async function openPeer(
  url: string,
  person: Person,
  { id }: { id: string },
): Promise<TestPeer> {
  // PeerJS generates a token if the app gives it none.
  const query = new URLSearchParams({ key: 'peerjs', id, token: 'any', version: '1.5.4' })
  const socket = new WebSocket(`${url.replace('http', 'ws')}/assist/peerjs?${query}`, {
    headers: { cookie: person.jar.header, origin: url },
  })
  const received: unknown[] = []
  let wake = () => {}
  socket.on('message', (text: Buffer) => {
    received.push(JSON.parse(text.toString()))
    wake()
  })
  async function next(): Promise<unknown> {
    while (received.length === 0) {
      await new Promise<void>(resolve => {
        wake = resolve
      })
    }
    return received.shift()
  }
  await next()
  return {
    socket,
    next,
    send: signal => socket.send(JSON.stringify(signal)),
    close: () => socket.close(),
  }
}
