/** Response timeout. */
const timeoutMs = 10_000

/** The build version on the server; null if it is unreachable or the response is malformed. */
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
