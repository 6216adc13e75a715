import { isOlder, thisIos } from './ios.ts'

/**
 * Whether this device can show notifications: `ready`, after a permission; `denied` by its user; `ios`: only once the
 * app is on the Home Screen; `ios-old`: iOS before 16.4; `unsupported`.
 */
export type PushSupport = 'ready' | 'denied' | 'ios' | 'ios-old' | 'unsupported'

/** The subscription as the server stores it. */
export interface Subscribed {
  endpoint: string
  p256dh: string
  auth: string
}

export function pushSupport(): PushSupport {
  const ios = thisIos()
  if (ios && isOlder(ios, 16, 4)) return 'ios-old'
  if (ios && !ios.installed) return 'ios'
  const isSupported =
    'Notification' in window && 'PushManager' in window && 'serviceWorker' in navigator
  if (!isSupported) return 'unsupported'
  return Notification.permission === 'denied' ? 'denied' : 'ready'
}

/**
 * Asks for the permission and subscribes this browser for messages of the server with this key. Requires a user
 * gesture. Returns null if the user does not allow it. Throws if the push service cannot be reached.
 */
export async function subscribePush(publicKey: string): Promise<Subscribed | null> {
  if ((await Notification.requestPermission()) !== 'granted') return null
  const worker = await readyWorker()
  const known = await worker.pushManager.getSubscription()
  // A subscription of another server key: this server cannot send to it.
  if (known && keyOf(known.options.applicationServerKey) !== publicKey) await known.unsubscribe()
  const subscription = await worker.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: publicKey,
  })
  return {
    endpoint: subscription.endpoint,
    p256dh: keyOf(subscription.getKey('p256dh')),
    auth: keyOf(subscription.getKey('auth')),
  }
}

/** Returns the endpoint of this browser's subscription, or null. */
export async function pushEndpoint(): Promise<string | null> {
  if (pushSupport() !== 'ready') return null
  const worker = await navigator.serviceWorker.getRegistration()
  const subscription = await worker?.pushManager.getSubscription()
  return subscription?.endpoint ?? null
}

/** Ends the subscription of this browser. */
export async function unsubscribePush(): Promise<void> {
  const worker = await navigator.serviceWorker.getRegistration()
  const subscription = await worker?.pushManager.getSubscription()
  await subscription?.unsubscribe()
}

/** The app registers its worker some time after it started; here it is needed at once. */
async function readyWorker(): Promise<ServiceWorkerRegistration> {
  const known = await navigator.serviceWorker.getRegistration()
  if (!known) await navigator.serviceWorker.register('/sw.js')
  return navigator.serviceWorker.ready
}

/** Encodes a key as base64url. */
function keyOf(key: ArrayBuffer | null): string {
  const bytes = new Uint8Array(key ?? new ArrayBuffer(0))
  return btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join(''))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')
}
