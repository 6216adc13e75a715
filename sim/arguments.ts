import { parseArgs } from 'node:util'
import { SessionId } from '#contract/ids.ts'
import { Email } from '#contract/users.ts'

export const usage = `npm run sim -- --session ID|LINK --email ADDRESS [options]

A simulated car that reports to a race session as the driver's phone would.

  --session ID|LINK  the session, or the address of its drive screen
  --email ADDRESS    the driver's address; a code is mailed to it
  --token TOKEN      signs in with a device token instead (or PITBOARD_TOKEN)
  --url URL          the server; defaults to that of the link, or to
                     http://localhost:3000
  --lap LAP          spa, zolder, or a CSV file with t_s, latitude_deg,
                     longitude_deg and speed_mps; spa
  --speed FACTOR     how many times faster than real it drives, 0.1 to 100; 1
  --hz NUMBER        fixes per second of real time, 0.25 to 10; 1`

export interface Arguments {
  readonly url: string
  readonly sessionId: string
  readonly lap: string
  readonly speed: number
  readonly hz: number
  readonly login: { readonly email: string } | { readonly token: string }
}

/** Thrown for a wrong command line. The message names the argument and its valid values. */
export class ArgumentRefused extends Error {}

/** Parses the command line, without the program's own name. Throws ArgumentRefused. */
export function readArguments(words: string[], env: { PITBOARD_TOKEN?: string } = {}): Arguments {
  const given = parsed(words)
  const { sessionId, origin } = sessionIn(given.session)
  return {
    sessionId,
    url: serverIn(given.url ?? origin ?? 'http://localhost:3000'),
    lap: given.lap || 'spa',
    speed: numberIn('--speed', given.speed ?? '1', 0.1, 100),
    hz: numberIn('--hz', given.hz ?? '1', 0.25, 10),
    login: loginIn(given.email, given.token || env.PITBOARD_TOKEN),
  }
}

function parsed(words: string[]) {
  const string = { type: 'string' } as const
  try {
    return parseArgs({
      args: words,
      options: {
        url: string,
        session: string,
        lap: string,
        speed: string,
        hz: string,
        email: string,
        token: string,
      },
    }).values
  } catch (error) {
    if (error instanceof TypeError) throw new ArgumentRefused(error.message)
    throw error
  }
}

function sessionIn(text: string | undefined): { sessionId: string; origin?: string } {
  if (!text) throw new ArgumentRefused('--session is missing: which session does the car drive?')
  if (SessionId.safeParse(text).success) return { sessionId: text }
  const link = URL.canParse(text) ? new URL(text) : null
  const id = link && /^\/teams\/[^/]+\/([^/]+)\/(?:drive|message)\/?$/.exec(link.pathname)?.[1]
  if (!link || !id || !SessionId.safeParse(id).success) {
    throw new ArgumentRefused(
      `--session ${text} is neither a session’s id nor a link such as http://localhost:3000/teams/…/…/drive.`,
    )
  }
  return { sessionId: id, origin: link.origin }
}

function serverIn(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new ArgumentRefused(`--url ${text} is not an address such as http://localhost:3000.`)
  }
  return url.origin
}

function numberIn(name: string, text: string, least: number, most: number): number {
  const value = Number(text.trim() || Number.NaN)
  if (!(value >= least && value <= most)) {
    throw new ArgumentRefused(`${name} ${text} is not a number from ${least} to ${most}.`)
  }
  return value
}

function loginIn(email: string | undefined, token: string | undefined): Arguments['login'] {
  if (email !== undefined) {
    const address = Email.safeParse(email)
    if (!address.success) throw new ArgumentRefused(`--email ${email} is not an email address.`)
    return { email: address.data }
  }
  if (token) return { token }
  throw new ArgumentRefused('--email (or --token) is missing: who drives?')
}
