import type { Down, RoomName } from '#contract/live.ts'
import { protocol } from '#contract/shared/liveRules.ts'
import type { Device } from './device.ts'
import type { Page } from './page.ts'
import type { TruthRecord } from './record.ts'

interface StrangerSettings {
  device: Device
  /** Rooms whose ids the stranger knows. */
  rooms: readonly RoomName[]
  record: TruthRecord
}

/** Frames that any signed-in user may receive. */
const publicFrames: readonly Down['t'][] = ['welcome', 'refused', 'team-removed']

/** True if this frame contains no data of a team or session. */
export function isPublic(frame: Down): boolean {
  if (frame.t === 'heartbeat') return Object.keys(frame.versions).length === 0
  if (frame.t === 'snapshot') return frame.snapshot.of === 'user'
  return publicFrames.includes(frame.t)
}

/** A non-member who keeps requesting the rooms. */
export class Stranger {
  readonly #settings: StrangerSettings
  #page: Page

  constructor(settings: StrangerSettings) {
    this.#settings = settings
    this.#page = settings.device.openPage()
    this.#connect()
  }

  #connect() {
    const { device, rooms, record } = this.#settings
    const { random } = device.settings
    const page = this.#page
    const socket = new page.Socket('wss://pit.example/live')
    let isOpen = false
    const send = (frame: object) => socket.send(JSON.stringify(frame))
    const request = () => {
      if (!isOpen) return
      record.count('unauthorised requests')
      const room = random.pick(rooms)
      const kind = random.weighted({ subscribe: 6, drive: 1, receipt: 1, heartbeat: 3 })
      if (kind === 'subscribe') send({ t: 'subscribe', room })
      if (kind === 'heartbeat') send({ t: 'heartbeat', at: page.clock.monotonicMs() })
      if (kind === 'drive') send({ t: 'drive', session: idIn(room), since: page.clock.now() })
      if (kind === 'receipt')
        send({ t: 'receipt', version: 1, stage: 'copied', at: page.clock.now() })
      page.clock.after(random.between(50, 4000), request)
    }
    socket.addEventListener('open', () => send({ t: 'hello', protocol }))
    socket.addEventListener('message', ({ data }) => {
      const frame = JSON.parse(String(data)) as Down
      if (frame.t === 'welcome') {
        isOpen = true
        request()
      }
    })
    socket.addEventListener('close', () => {
      isOpen = false
      page.clock.after(random.between(200, 2000), () => this.#connect())
    })
  }
}

function idIn(room: RoomName): string {
  return room.slice(room.indexOf(':') + 1)
}
