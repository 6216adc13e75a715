import type { TeamId } from '#contract/ids.ts'
import { type Client, CookieJar, createClient } from './client.ts'

/** Connects a television to a team by the API: a member enters the code that it shows. */
export async function connectTelevision(
  url: string,
  { call: member }: { call: Client },
  teamId: TeamId,
) {
  const jar = new CookieJar()
  const call = createClient(url, jar)
  const { code, secret } = await call.televisions.requestCode()
  await member.televisions.allow({ teamId, code, name: 'Garage' })
  await call.televisions.collect({ secret })
  return { jar, call }
}
