import { type MediaConnection, Peer } from 'peerjs'
import type { AgentPass } from '#contract/support.ts'
import { read } from '#web/api/call.ts'

/** The tab may not be at the signalling yet: it is called again so often, and that much later. */
const mostTries = 10
const againMs = 500

/**
 * Why a call did not come about or broke: this browser cannot, the pass is over, the server is not reached, the
 * page is not there to be called, or the line between the two browsers broke.
 */
export type CallFailure = 'browser' | 'pass' | 'server' | 'page' | 'line'

/** By PeerJS's names of its errors. */
const failures: Readonly<Record<string, CallFailure>> = {
  'browser-incompatible': 'browser',
  'invalid-id': 'pass',
  'invalid-key': 'pass',
  'unavailable-id': 'pass',
  'ssl-unavailable': 'server',
  'server-error': 'server',
  'socket-error': 'server',
  'socket-closed': 'server',
  network: 'server',
  disconnected: 'server',
  'peer-unavailable': 'page',
}

interface Listener {
  /** The person answered and is heard. */
  answered(): void
  failed(why: CallFailure): void
}

/** A call under way: a microphone, and what is heard of the person. */
interface Going {
  microphone: MediaStream
  tabPeerId: string
  tries: number
  connection: MediaConnection | null
  answered: boolean
}

/** The agent's end of the calls in one visit. One at a time. */
export class AgentCall {
  readonly #peerId: string
  readonly #listener: Listener
  readonly #sound = new Audio()
  /** None before the first call: the signalling lets in only who is with the visitor by then. */
  #peer: Peer | null = null
  #going: Going | null = null
  #again: ReturnType<typeof setTimeout> | undefined
  /** Counts calls: who hung up before the microphone was there calls nobody. */
  #number = 0

  constructor({ peerId }: AgentPass, listener: Listener) {
    this.#peerId = peerId
    this.#listener = listener
  }

  /**
   * Calls a tab by its peer id.
   * @throws DOMException when there is no microphone, or the browser does not give it.
   */
  async call(tabPeerId: string): Promise<void> {
    this.#number += 1
    const number = this.#number
    const microphone = await navigator.mediaDevices.getUserMedia({ audio: true })
    if (number !== this.#number) return silence(microphone)
    // The add-on looks for a picture in whatever it is sent.
    const picture = blackPicture()
    if (picture) microphone.addTrack(picture)
    this.#going = { microphone, tabPeerId, tries: 0, connection: null, answered: false }
    const config = { iceServers: await callServers() }
    if (number !== this.#number) return
    const peer = this.#peer
    if (!peer) {
      this.#peer = this.#open(config)
      return
    }
    peer.options.config = config
    if (peer.destroyed) return this.#listener.failed('server')
    if (peer.open) this.#dial()
    else if (peer.disconnected) peer.reconnect()
  }

  mute(muted: boolean) {
    for (const track of this.#going?.microphone.getAudioTracks() ?? []) track.enabled = !muted
  }

  hangUp() {
    this.#number += 1
    clearTimeout(this.#again)
    const going = this.#going
    this.#going = null
    this.#sound.srcObject = null
    if (!going) return
    going.connection?.close()
    silence(going.microphone)
  }

  close() {
    this.hangUp()
    this.#peer?.destroy()
  }

  #open(config: object): Peer {
    const secure = location.protocol === 'https:'
    const peer = new Peer(this.#peerId, {
      host: location.hostname,
      port: Number(location.port) || (secure ? 443 : 80),
      path: '/assist',
      secure,
      debug: 0,
      config,
    })
    peer.on('open', () => this.#dial())
    peer.on('error', ({ type }) => this.#hearError(type))
    return peer
  }

  #dial() {
    const going = this.#going
    if (!going || going.answered) return
    going.tries += 1
    const before = going.connection
    // PeerJS answers with nothing where its own line is down.
    const connection: MediaConnection | undefined = this.#peer?.call(
      going.tabPeerId,
      going.microphone,
    )
    going.connection = connection ?? null
    before?.close()
    connection?.on('stream', stream => {
      if (this.#going !== going || going.answered) return
      going.answered = true
      this.#sound.srcObject = stream
      this.#sound.play().catch(() => this.#listener.failed('browser'))
      this.#listener.answered()
    })
    connection?.on('close', () => {
      if (this.#going?.connection === connection) this.#listener.failed('line')
    })
  }

  #hearError(type: string) {
    const going = this.#going
    // Two browsers that talk need nobody between them any more.
    if (!going || going.answered) return
    if (type !== 'peer-unavailable' || going.tries >= mostTries) {
      return this.#listener.failed(failures[type] ?? 'line')
    }
    this.#again = setTimeout(() => this.#dial(), againMs)
  }
}

/** Without an answer the two browsers try to find each other directly. */
async function callServers() {
  try {
    return (await read('support.callServers', {})).iceServers
  } catch {
    return []
  }
}

function silence(stream: MediaStream) {
  for (const track of stream.getTracks()) track.stop()
}

function blackPicture(): MediaStreamTrack | undefined {
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = 2
  canvas.getContext('2d')?.fillRect(0, 0, 2, 2)
  return canvas.captureStream().getVideoTracks()[0]
}
