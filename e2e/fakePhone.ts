import type { Page } from '@playwright/test'

/** The state that a phone shows to its browser. */
export interface Phone {
  secure?: boolean
  /** The certificate was clicked away: the browser gives the site no service worker. */
  untrusted?: boolean
  permission?: PermissionState
  network?: PermissionState
  /** Metres, or the code of the error. */
  position?: { accuracyM: number } | { error: number } | 'none' | 'missing'
  wakeLock?: 'granted' | 'refused' | 'missing'
  iphone?: 'tab' | 'installed'
  /** Milliseconds of a frame. */
  frameMs?: number
  storage?: { persisted?: boolean; freeBytes?: number; throws?: boolean }
  sound?: 'locked'
  installed?: boolean
  notifications?: NotificationPermission
  battery?: { level: number; charging: boolean } | 'missing'
  /** How far the server's clock is behind the phone's. */
  clockAheadMs?: number
  serverIsDown?: boolean
}

/** Replaces the interfaces of the browser by those of a phone that is good but for this. Call it before the page opens. */
export async function becomePhone(page: Page, phone: Phone) {
  // Some compilers name functions by a helper, which the page does not have.
  await page.addInitScript('globalThis.__name ??= it => it')
  await page.addInitScript(put, phone)
}

function put(phone: Phone) {
  const on = (target: object, name: string, value: unknown) =>
    Object.defineProperty(target, name, { value, configurable: true })
  on(window, 'isSecureContext', phone.secure ?? true)
  on(navigator, 'serviceWorker', {
    controller: null,
    addEventListener: () => undefined,
    getRegistration: async () => undefined,
    register: async () => {
      if (phone.untrusted) throw new DOMException('An SSL certificate error', 'SecurityError')
      return Object.assign(new EventTarget(), { update: async () => undefined })
    },
  })
  on(navigator, 'permissions', {
    query: async ({ name }: { name: string }) =>
      Object.assign(new EventTarget(), {
        state:
          name === 'geolocation' ? (phone.permission ?? 'granted') : (phone.network ?? 'prompt'),
      }),
  })
  const position = phone.position ?? { accuracyM: 4 }
  if (position === 'missing') {
    // The interface is looked up by `in`.
    Reflect.deleteProperty(Navigator.prototype, 'geolocation')
  } else {
    const watch = (found: PositionCallback, failed?: PositionErrorCallback | null) => {
      if (position === 'none') return 1
      return window.setInterval(() => {
        if ('error' in position) {
          failed?.({ code: position.error, message: '' } as GeolocationPositionError)
          return
        }
        const coords = { latitude: 51, longitude: 5, accuracy: position.accuracyM, speed: 0 }
        found({ coords, timestamp: Date.now() } as unknown as GeolocationPosition)
      }, 100)
    }
    on(navigator, 'geolocation', {
      watchPosition: watch,
      getCurrentPosition: () => undefined,
      clearWatch: (id: number) => clearInterval(id),
    })
  }
  if (phone.wakeLock === 'missing') Reflect.deleteProperty(Navigator.prototype, 'wakeLock')
  else
    on(navigator, 'wakeLock', {
      request: async () => {
        if (phone.wakeLock === 'refused') throw new DOMException('Refused', 'NotAllowedError')
        return Object.assign(new EventTarget(), { released: false, release: async () => undefined })
      },
    })
  if (phone.iphone)
    on(
      navigator,
      'userAgent',
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
    )
  const installed = phone.installed ?? phone.iphone !== 'tab'
  const media = window.matchMedia
  on(window, 'matchMedia', (query: string) =>
    query.includes('display-mode') ? { matches: installed } : media.call(window, query),
  )
  if (phone.frameMs !== undefined) {
    let at = 0
    const { frameMs } = phone
    on(window, 'requestAnimationFrame', (act: FrameRequestCallback) =>
      window.setTimeout(() => act((at += frameMs)), 1),
    )
  }
  const { persisted = true, freeBytes = 1e9, throws = false } = phone.storage ?? {}
  on(navigator, 'storage', {
    persisted: async () => persisted,
    persist: async () => persisted,
    estimate: async () => ({ quota: 2e9, usage: 2e9 - freeBytes }),
  })
  if (throws)
    IDBFactory.prototype.open = () => {
      throw new DOMException('Blocked', 'SecurityError')
    }
  if (phone.sound === 'locked') {
    AudioContext.prototype.resume = async () => undefined
    Object.defineProperty(BaseAudioContext.prototype, 'state', { get: () => 'suspended' })
  }
  on(Notification, 'permission', phone.notifications ?? 'granted')
  if (phone.battery === 'missing') Reflect.deleteProperty(Navigator.prototype, 'getBattery')
  else
    on(navigator, 'getBattery', async () =>
      Object.assign(new EventTarget(), phone.battery ?? { level: 0.8, charging: true }),
    )
}
