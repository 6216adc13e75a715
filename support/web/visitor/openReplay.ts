import type { Socket } from 'socket.io-client'

/**
 * How long to wait before connecting again. The server refuses a page whose previous connection is still open
 * there: it notices a broken one after 45 s.
 */
const reconnectMs = 10_000

interface Visit {
  tabId: string
  signal: AbortSignal
  /** Explains on the console why calls are not possible. */
  warn: (reason: string) => void
  reconnectDelayMs?: number
}

/** Printed for the operator: users can do nothing about it. */
export const noCalls =
  'Support calls need OpenReplay 1.20 or 1.21: newer servers have no signalling for this tracker.'

/** Handles the differences between OpenReplay's servers and the built-in desk. */
export function followOpenReplay(
  socket: Socket,
  { tabId, signal, warn, reconnectDelayMs = reconnectMs }: Visit,
) {
  let timer: ReturnType<typeof setTimeout> | undefined
  // The server disconnects the socket, after which Socket.IO does not reconnect by itself.
  const onRefused = () => {
    clearTimeout(timer)
    timer = setTimeout(() => socket.connect(), reconnectDelayMs)
  }
  // Agents of newer servers call in a way that the tracker does not know, and would wait without end.
  const onUnknownCall = () => {
    warn(noCalls)
    socket.emit('call_end', { meta: { tabId } })
  }
  socket.on('SESSION_ALREADY_CONNECTED', onRefused).on('webrtc_call_offer', onUnknownCall)
  signal.addEventListener(
    'abort',
    () => {
      clearTimeout(timer)
      socket.off('SESSION_ALREADY_CONNECTED', onRefused).off('webrtc_call_offer', onUnknownCall)
    },
    { once: true },
  )
}
