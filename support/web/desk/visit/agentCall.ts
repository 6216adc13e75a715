import { type MediaConnection, Peer } from 'peerjs'
import type { AgentPass } from '#support/contract/support.ts'
import { read } from '#web/api/call.ts'

/** The tab may not be connected to the signalling server yet, hence the retries. */
const maxAttempts = 10
const retryDelayMs = 500

/**
 * The page reports an ordinary end over the assist socket, which often arrives after PeerJS has closed the
 * connection.
 */
const closeGraceMs = 1500

/**
 * Why a call failed: browser not supported, pass expired, server unreachable, page not ready for calls,
 * or the connection between the two browsers lost.
 */
export type CallFailure = 'browser' | 'pass' | 'server' | 'page' | 'connection'

/** Failures by PeerJS error type. */
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
  /** The person answered and their audio is playing. */
  answered(): void
  failed(why: CallFailure): void
}

/** An ongoing call: the agent's microphone and the media connection to the person. */
interface OngoingCall {
  microphone: MediaStream
  tabPeerId: string
  tries: number
  connection: MediaConnection | null
  answered: boolean
}

/** The agent's side of the calls in one visit, one at a time. */
export class AgentCall {
  readonly #peerId: string
  readonly #listener: Listener
  readonly #sound = new Audio()
  /**
   * Null before the first call: the signalling server only admits agents who have joined the visit by
   * then.
   */
  #peer: Peer | null = null
  #ongoing: OngoingCall | null = null
  #retryTimer: ReturnType<typeof setTimeout> | undefined
  #closeTimer: ReturnType<typeof setTimeout> | undefined
  /**
   * Sequence number of the call: detects that the agent hung up while the microphone was being
   * requested.
   */
  #number = 0

  constructor({ peerId }: AgentPass, listener: Listener) {
    this.#peerId = peerId
    this.#listener = listener
  }

  /**
   * Calls a tab by its peer id.
   * @throws DOMException without a microphone, or when access to it is denied.
   */
  async call(tabPeerId: string): Promise<void> {
    this.#number += 1
    const number = this.#number
    const microphone = await navigator.mediaDevices.getUserMedia({ audio: true })
    if (number !== this.#number) return stopTracks(microphone)
    // The add-on expects a video track in every stream.
    const video = blackVideoTrack()
    if (video) microphone.addTrack(video)
    this.#ongoing = { microphone, tabPeerId, tries: 0, connection: null, answered: false }
    const config = { iceServers: await callServers() }
    if (number !== this.#number) return
    const peer = this.#peer
    // A peer that never reached the server is destroyed, and cannot connect again.
    if (!peer || peer.destroyed) {
      this.#peer = this.#open(config)
      return
    }
    peer.options.config = config
    if (peer.open) this.#dial()
    else if (peer.disconnected) peer.reconnect()
  }

  mute(muted: boolean) {
    for (const track of this.#ongoing?.microphone.getAudioTracks() ?? []) track.enabled = !muted
  }

  hangUp() {
    this.#number += 1
    clearTimeout(this.#retryTimer)
    clearTimeout(this.#closeTimer)
    const ongoing = this.#ongoing
    this.#ongoing = null
    this.#sound.srcObject = null
    if (!ongoing) return
    ongoing.connection?.close()
    stopTracks(ongoing.microphone)
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
    peer.on('error', ({ type }) => this.#onError(type))
    return peer
  }

  #dial() {
    const ongoing = this.#ongoing
    if (!ongoing || ongoing.answered) return
    ongoing.tries += 1
    const before = ongoing.connection
    // PeerJS returns undefined when it is disconnected.
    const connection: MediaConnection | undefined = this.#peer?.call(
      ongoing.tabPeerId,
      ongoing.microphone,
    )
    ongoing.connection = connection ?? null
    before?.close()
    connection?.on('stream', stream => {
      if (this.#ongoing !== ongoing || ongoing.answered) return
      ongoing.answered = true
      this.#sound.srcObject = stream
      this.#sound.play().catch(() => this.#listener.failed('browser'))
      this.#listener.answered()
    })
    connection?.on('close', () => {
      if (this.#ongoing?.connection !== connection) return
      this.#closeTimer = setTimeout(() => this.#listener.failed('connection'), closeGraceMs)
    })
  }

  #onError(type: string) {
    const ongoing = this.#ongoing
    // The media connection is peer to peer: an established call does not need the signalling server.
    if (!ongoing || ongoing.answered) return
    if (type !== 'peer-unavailable' || ongoing.tries >= maxAttempts) {
      return this.#listener.failed(failures[type] ?? 'connection')
    }
    this.#retryTimer = setTimeout(() => this.#dial(), retryDelayMs)
  }
}

/** Without ICE servers the two browsers try to connect directly. */
async function callServers() {
  try {
    return (await read('support.callServers', {})).iceServers
  } catch {
    return []
  }
}

function stopTracks(stream: MediaStream) {
  for (const track of stream.getTracks()) track.stop()
}

function blackVideoTrack(): MediaStreamTrack | undefined {
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = 2
  canvas.getContext('2d')?.fillRect(0, 0, 2, 2)
  return canvas.captureStream().getVideoTracks()[0]
}
