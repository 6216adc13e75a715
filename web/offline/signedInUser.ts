import { read } from '#web/api/call.ts'

/** Returns the id of the user whom the server knows as signed in; null without one, or without a response. */
export async function signedInUser(): Promise<string | null> {
  const answer = await read('auth.login', {}).catch(() => null)
  return answer?.login?.user.id ?? null
}
