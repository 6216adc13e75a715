/** An answer that takes longer is none. */
const timeoutMs = 10_000

/** Which build the server serves now; null if it is away or answers nonsense. */
export async function servedVersion(): Promise<string | null> {
  try {
    const response = await fetch('/version.json', {
      cache: 'no-store',
      headers: { 'cache-control': 'no-cache' },
      signal: AbortSignal.timeout(timeoutMs),
    })
    const body: unknown = response.ok ? await response.json() : null
    return versionIn(body)
  } catch {
    return null
  }
}

function versionIn(body: unknown): string | null {
  if (typeof body !== 'object' || body === null || !('version' in body)) return null
  return typeof body.version === 'string' && body.version !== '' ? body.version : null
}
