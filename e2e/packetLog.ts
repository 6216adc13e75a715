import type { Page } from '@playwright/test'

interface Connection {
  readonly signalingState: string
  getStats(): Promise<Map<string, { type: string; kind?: string; packetsReceived?: number }>>
}
declare global {
  interface Window {
    /** Peer connections that the page created. */
    connections: Connection[]
  }
}

/** Records the page's peer connections, so that a test can read their statistics. */
export async function recordPeerConnections(page: Page) {
  await page.addInitScript(() => {
    window.connections = []
    window.RTCPeerConnection = class extends RTCPeerConnection {
      constructor(settings?: RTCConfiguration) {
        super(settings)
        window.connections.push(this as unknown as Connection)
      }
    }
  })
}

/** Counts received audio packets. */
export async function receivedAudioPackets(page: Page): Promise<number> {
  return page.evaluate(async () => {
    let packets = 0
    for (const connection of window.connections) {
      const stats = await connection.getStats()
      stats.forEach(({ type, kind, packetsReceived }) => {
        if (type === 'inbound-rtp' && kind === 'audio') packets += packetsReceived ?? 0
      })
    }
    return packets
  })
}

/** Counts peer connections that are not closed. */
export function openPeerConnections(page: Page): Promise<number> {
  return page.evaluate(
    () => window.connections.filter(({ signalingState }) => signalingState !== 'closed').length,
  )
}
