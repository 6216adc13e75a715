import type { Socket } from 'socket.io-client'

/**
 * How long the server may take to announce the agents of a page that has connected. An OpenReplay server
 * announces nothing if there are none.
 */
const announcedMs = 1000

/**
 * How long a disconnected page keeps what agents were granted. OpenReplay refuses a page that reconnects for up
 * to 45 s.
 */
const disconnectedMs = 60_000

interface Options {
  /** Returns the ids of the agents that the add-on knows. */
  agents: () => string[]
  signal: AbortSignal
  announcedMs?: number
  disconnectedMs?: number
}

/**
 * Ends control, recording and call of each agent who left while the page was disconnected, or when the page
 * cannot reconnect: nothing of an agent stays because a message was lost.
 */
export function endAbsentAgents(socket: Socket, options: Options) {
  const present = new Set<string>()
  let announcement: ReturnType<typeof setTimeout> | undefined
  let disconnection: ReturnType<typeof setTimeout> | undefined

  function endAbsent() {
    clearTimeout(announcement)
    clearTimeout(disconnection)
    disconnection = undefined
    for (const agent of options.agents()) {
      if (!present.has(agent)) deliver(socket, 'AGENT_DISCONNECTED', agent)
    }
  }
  const listeners = {
    connect() {
      announcement = setTimeout(endAbsent, options.announcedMs ?? announcedMs)
    },
    // Also follows each refusal to let the page reconnect, so the first timer stays.
    disconnect() {
      clearTimeout(announcement)
      present.clear()
      disconnection ??= setTimeout(endAbsent, options.disconnectedMs ?? disconnectedMs)
    },
    AGENTS_CONNECTED(agents: string[]) {
      for (const agent of agents) present.add(agent)
      endAbsent()
    },
    NEW_AGENT: (agent: string) => void present.add(agent),
    AGENT_DISCONNECTED: (agent: string) => void present.delete(agent),
  }
  for (const [event, listener] of Object.entries(listeners)) socket.on(event, listener)
  options.signal.addEventListener(
    'abort',
    () => {
      clearTimeout(announcement)
      clearTimeout(disconnection)
      for (const [event, listener] of Object.entries(listeners)) socket.off(event, listener)
    },
    { once: true },
  )
}

/** Calls the listeners of an event that the server did not send. */
function deliver(socket: Socket, event: string, ...args: unknown[]) {
  for (const listener of socket.listenersAny()) listener(event, ...args)
  for (const listener of socket.listeners(event)) listener(...args)
}
