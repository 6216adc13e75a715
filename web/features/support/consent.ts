import type { Socket } from 'socket.io-client'

/**
 * Follows on the assist socket who may see this page: the agent who was given control, and the one who records.
 * The add-on has no word for it. `listen` hears of every change. Returns its undoing.
 */
export function followConsent(socket: Socket, listen: (agents: ReadonlySet<string>) => void) {
  let control: string | null = null
  let asked: string | null = null
  let recording: string | null = null
  let before = ''

  function tell() {
    const agents = new Set([control, recording].filter(agent => agent !== null))
    // A recording begins with the whole page, also for an agent who has control already.
    const now = `${control} ${recording}`
    if (now === before) return
    before = now
    listen(agents)
  }

  function leave(agent: string) {
    if (control === agent) control = null
    if (recording === agent) recording = null
  }

  const heard = (event: string, agent: string) => {
    if (event === 'request_recording' && recording === null) asked = agent
    if (event === 'stop_recording' && recording === agent) recording = null
    if (event === 'AGENT_DISCONNECTED') leave(agent)
    if (event === 'NO_AGENT') control = recording = null
    tell()
  }
  const said = (event: string, payload?: { data?: unknown }) => {
    if (event === 'control_granted') control = String(payload?.data)
    if (event === 'control_rejected' && control === payload?.data) control = null
    if (event === 'recording_accepted') recording = asked
    tell()
  }
  // Without a line nobody sees anything. Control is given back by the add-on, a recording by us.
  const lost = () => {
    control = null
    before = ''
    listen(new Set())
  }
  const back = () => {
    if (recording !== null) socket.emit('recording_accepted', { data: recording })
  }
  socket.onAny(heard).onAnyOutgoing(said)
  socket.on('disconnect', lost).on('connect', back)
  return () => {
    socket.offAny(heard).offAnyOutgoing(said)
    socket.off('disconnect', lost).off('connect', back)
    listen(new Set())
  }
}
