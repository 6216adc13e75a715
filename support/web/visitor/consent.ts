import type { Socket } from 'socket.io-client'

/**
 * Tracks on the assist socket which agents may see this page: the one with control and the one who
 * records. The add-on has no API for it. Calls `listen` on every change. Returns the unsubscribe
 * function.
 */
export function followConsent(socket: Socket, listen: (agents: ReadonlySet<string>) => void) {
  let control: string | null = null
  let recording: string | null = null
  let before = ''

  function notify() {
    const agents = new Set([control, recording].filter(agent => agent !== null))
    // A recording starts with a full snapshot, even for an agent who already has control.
    const now = `${control} ${recording}`
    if (now === before) return
    before = now
    listen(agents)
  }

  function leave(agent: string) {
    if (control === agent) control = null
    if (recording === agent) recording = null
  }

  const onIncoming = (event: string, agent: string) => {
    if (event === 'stop_recording' && recording === agent) recording = null
    if (event === 'AGENT_DISCONNECTED') leave(agent)
    if (event === 'NO_AGENT') control = recording = null
    notify()
  }
  const onOutgoing = (event: string, payload?: { data?: unknown }) => {
    if (event === 'control_granted') control = String(payload?.data)
    if (event === 'control_rejected' && control === payload?.data) control = null
    if (event === 'recording_accepted') recording = String(payload?.data)
    if (event === 'recording_rejected' && recording === payload?.data) recording = null
    notify()
  }
  // While disconnected nobody sees the page. On reconnect the add-on restores control, and this code
  // the recording.
  const onDisconnect = () => {
    control = null
    before = ''
    listen(new Set())
  }
  const onConnect = () => {
    if (recording !== null) socket.emit('recording_accepted', { data: recording })
  }
  socket.onAny(onIncoming).onAnyOutgoing(onOutgoing)
  socket.on('disconnect', onDisconnect).on('connect', onConnect)
  return () => {
    socket.offAny(onIncoming).offAnyOutgoing(onOutgoing)
    socket.off('disconnect', onDisconnect).off('connect', onConnect)
    listen(new Set())
  }
}
