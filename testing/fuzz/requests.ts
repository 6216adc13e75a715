import type { Answer, HttpClient, Request } from './http.ts'
import type { FuzzRecord } from './record.ts'

/** The interface under which a request is counted, and the secret that its response must not contain. */
interface Expected {
  entryPoint: string
  secret: string
}

/** Documented 5xx responses for missing settings or a failed mail server. */
const documented = /"code":"(google-not-set-up|mail-not-sent)"/

/** Sends one request, counts it and records violations. Returns true if it was accepted and may change data. */
export async function tryRequest(
  client: HttpClient,
  record: FuzzRecord,
  { entryPoint, secret }: Expected,
  request: Request,
): Promise<boolean> {
  const counts = record.of(entryPoint)
  counts.tried += 1
  let answer: Answer
  try {
    answer = await client.send(request)
  } catch (error) {
    record.violate(entryPoint, `no response: ${String(error)}`, request)
    return true
  }
  const { status, text } = answer
  if (status >= 500 && !documented.test(text)) {
    counts.serverErrors += 1
    record.violate(entryPoint, `responded ${status} ${text.slice(0, 200)}`, request)
  }
  if (text.includes(secret)) record.violate(entryPoint, 'a response contains the secret', request)
  const isRefused = status === 0 || status >= 400
  if (status === 429) counts.limited += 1
  if (isRefused) counts.refused += 1
  else counts.accepted += 1
  return !isRefused && request.method !== 'GET' && request.method !== 'HEAD'
}
