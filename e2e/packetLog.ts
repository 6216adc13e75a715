import type { Page } from '@playwright/test'

interface Connection {
  getStats(): Promise<Map<string, { type: string; kind?: string; packetsReceived?: number }>>
}
declare global {
  interface Window {
    /** Every connection to a peer that the page made. */
    connections: Connection[]
  }
}

/** Remembers connections, so that a test can ask what comes in over them. */
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

/** Packets of sound that have come in. */
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
