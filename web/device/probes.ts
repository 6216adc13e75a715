import { thisIos } from './ios.ts'

/**
 * Whether the page came over a connection that the browser trusts. A page behind a certificate that somebody clicked
 * away counts as secure for the browser, but gets no service worker.
 */
export async function probePage(): Promise<'secure' | 'insecure' | 'untrusted' | 'unknown'> {
  if (!isSecureContext) return 'insecure'
  if (!('serviceWorker' in navigator)) return 'unknown'
  try {
    const workers = navigator.serviceWorker
    const worker = (await workers.getRegistration()) ?? (await workers.register('/sw.js'))
    return worker ? 'secure' : 'unknown'
  } catch (reason) {
    return reason instanceof DOMException && reason.name === 'SecurityError'
      ? 'untrusted'
      : 'unknown'
  }
}

/** Whether a server of this name may be in a network of its own, where phones ask before they let a page reach it. */
export function isPrivateHost(host: string): boolean {
  return /^(10\.|192\.168\.|169\.254\.|172\.(1[6-9]|2\d|3[01])\.|\[f[cde])|\.(local|lan|internal|home\.arpa)$/i.test(
    host,
  )
}

/** The state of a permission of this site; `unknown` in browsers that do not report it. */
export async function permissionState(name: string): Promise<PermissionState | 'unknown'> {
  return (await permissionStatus(name))?.state ?? 'unknown'
}

/** Notifies when a permission of this site changes. Returns the cleanup function. */
export function onPermission(name: string, listener: () => void): () => void {
  const leaving = new AbortController()
  void permissionStatus(name).then(status => {
    if (!leaving.signal.aborted)
      status?.addEventListener('change', listener, { signal: leaving.signal })
  })
  return () => leaving.abort()
}

async function permissionStatus(name: string): Promise<PermissionStatus | null> {
  try {
    return await navigator.permissions.query({ name: name as PermissionName })
  } catch {
    return null
  }
}

/** Frames that are timed: enough for a median. */
const timedFrames = 12

/** Safari draws 30 frames a second in Low Power Mode, in place of 60 or more. */
const savingFrameMs = 28

/** Whether the phone saves power. Null where nothing shows it, as outside of Safari on iOS, and on a hidden page. */
export async function probePowerSaving(): Promise<boolean | null> {
  if (!thisIos() || document.visibilityState !== 'visible') return null
  const times = await new Promise<number[]>(resolve => {
    const seen: number[] = []
    const frame = (at: number) => {
      seen.push(at)
      if (seen.length > timedFrames) resolve(seen)
      else requestAnimationFrame(frame)
    }
    requestAnimationFrame(frame)
  })
  const lengths = times.slice(1).map((at, index) => at - (times[index] ?? at))
  const median = lengths.toSorted((a, b) => a - b)[Math.floor(lengths.length / 2)] ?? 0
  return median > savingFrameMs
}

/** Less free storage than this does not hold the positions of a stint without a network. */
const fullBelowBytes = 5_000_000

/** Whether the storage that the browser gives this site is full. */
export async function isStorageFull(): Promise<boolean> {
  try {
    const { quota, usage } = await navigator.storage.estimate()
    return quota !== undefined && usage !== undefined && quota - usage < fullBelowBytes
  } catch {
    return false
  }
}

/** The response of the server to one request, and how far this device's clock is ahead of the server's. */
export interface ServerProbe {
  readonly online: boolean
  readonly roundTripMs: number | null
  /** Null without a response. Exact to about half a second: the server's date is in whole seconds. */
  readonly clockAheadMs: number | null
}

/** Response timeout. */
const timeoutMs = 5000

/** Requests the time of the server. Never rejects. */
export async function probeServer(): Promise<ServerProbe> {
  const startedAt = performance.now()
  try {
    const response = await fetch('/version.json', {
      cache: 'no-store',
      signal: AbortSignal.timeout(timeoutMs),
    })
    const roundTripMs = performance.now() - startedAt
    const serverAt = Date.parse(response.headers.get('date') ?? '') + 500
    const midpointAt = Date.now() - roundTripMs / 2
    return {
      online: true,
      roundTripMs,
      clockAheadMs: Number.isNaN(serverAt) ? null : midpointAt - serverAt,
    }
  } catch {
    return { online: false, roundTripMs: null, clockAheadMs: null }
  }
}
