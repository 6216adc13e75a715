import { z } from 'zod'
import { IceServer } from '#contract/support.ts'
import { Email } from '#contract/users.ts'
import { isTurn } from './callServers.ts'

const iceError =
  'must be a JSON list such as [{"urls":"turn:turn.example.com","username":"…","credential":"…"}]'

const IceServers = z
  .array(IceServer)
  .max(10)
  .refine(servers => servers.every(({ urls }) => [urls].flat().every(isIceAddress)))

/** A support desk of an OpenReplay server (the first two), or our own (SUPPORT_BUILTIN). */
export const SupportSettings = z.object({
  SUPPORT_PROJECT_KEY: z
    .string()
    // The ids of peers are put together with dashes.
    .regex(/^\w{1,64}$/, 'must be letters and digits')
    .optional(),
  SUPPORT_INGEST_URL: z
    .url({
      protocol: /^https?$/,
      error: 'must be an address such as https://replay.example.com/ingest',
    })
    .refine(isPlainAddress, 'must be an address without user, query or fragment')
    .optional(),
  SUPPORT_BUILTIN: z.enum(['0', '1'], { error: 'must be 0 or 1' }).optional(),
  SUPPORT_ADMINS: z
    .string()
    .transform(text => text.split(',').map(part => Email.safeParse(part)))
    .refine(all => all.every(({ success }) => success), 'must be e-mail addresses, by commas')
    .transform(all => all.flatMap(({ data }) => data ?? []))
    .optional(),
  SUPPORT_ICE_SERVERS: z
    .string()
    .transform(text => IceServers.safeParse(parsed(text)))
    .refine(({ success }) => success, iceError)
    .transform(({ data }) => data ?? [])
    .optional(),
  SUPPORT_TURN_SECRET: z
    .string()
    .min(16, 'must be at least 16 characters: the shared secret of the TURN servers')
    .optional(),
})
type SupportSettings = z.output<typeof SupportSettings>

export interface SupportConfig {
  /** An OpenReplay server beside ours; none means that this server is the desk. */
  external: { ingestUrl: string; projectKey: string } | undefined
  iceServers: IceServer[]
  /** Shared with the TURN servers of `iceServers`: credentials for a call are made with it. */
  turnSecret?: string | undefined
  /** Addresses of those who may act as agents. */
  admins: ReadonlySet<string>
  /** How often the login behind an open socket is looked at again; without it, every 30 s. */
  lookAgainMs?: number
}

/** Names what does not go together. */
export function requireOneSupport(
  settings: SupportSettings & { NATS_URL?: string | undefined },
  context: { addIssue(issue: { code: 'custom'; path: string[]; message: string }): void },
) {
  const refuse = (name: string, message: string) =>
    context.addIssue({ code: 'custom', path: [name], message })
  const external = settings.SUPPORT_INGEST_URL !== undefined
  const builtin = isBuiltin(settings)
  if (external !== (settings.SUPPORT_PROJECT_KEY !== undefined)) {
    const missing = external ? 'SUPPORT_PROJECT_KEY' : 'SUPPORT_INGEST_URL'
    const there = external ? 'SUPPORT_INGEST_URL' : 'SUPPORT_PROJECT_KEY'
    refuse(missing, `must be set together with ${there}`)
  }
  if (builtin && external) {
    refuse('SUPPORT_BUILTIN', 'cannot be 1 beside SUPPORT_INGEST_URL: there is one support desk')
  }
  if (builtin && settings.NATS_URL !== undefined) {
    refuse(
      'SUPPORT_BUILTIN',
      'cannot be 1 beside NATS_URL: the desk is in the memory of one process, and an agent would meet only the visitors of the same one. Run one process, or set SUPPORT_INGEST_URL',
    )
  }
  const { SUPPORT_ICE_SERVERS: iceServers = [], SUPPORT_TURN_SECRET: turnSecret } = settings
  if (turnSecret !== undefined && !iceServers.some(isTurn)) {
    refuse('SUPPORT_TURN_SECRET', 'needs a TURN server in SUPPORT_ICE_SERVERS')
  }
  if (external && turnSecret === undefined && iceServers.some(hasCredential)) {
    refuse(
      'SUPPORT_TURN_SECRET',
      'must be set: the calls of another desk are not known here, so a credential in SUPPORT_ICE_SERVERS would go to everybody who is signed in',
    )
  }
  if (settings.SUPPORT_ADMINS !== undefined && !builtin) {
    refuse('SUPPORT_ADMINS', 'needs SUPPORT_BUILTIN=1: agents of another desk sign in there')
  }
}

/** What the settings say, or none if support is not set up. */
export function toSupport(settings: SupportSettings): SupportConfig | undefined {
  const { SUPPORT_INGEST_URL: ingestUrl, SUPPORT_PROJECT_KEY: projectKey } = settings
  const external =
    ingestUrl && projectKey ? { ingestUrl: ingestUrl.replace(/\/+$/, ''), projectKey } : undefined
  if (!external && !isBuiltin(settings)) return undefined
  return {
    external,
    iceServers: settings.SUPPORT_ICE_SERVERS ?? [],
    turnSecret: settings.SUPPORT_TURN_SECRET,
    admins: new Set(settings.SUPPORT_ADMINS),
  }
}

function isBuiltin(settings: SupportSettings): boolean {
  return settings.SUPPORT_BUILTIN === '1'
}

function hasCredential({ username, credential }: IceServer): boolean {
  return username !== undefined || credential !== undefined
}

function isIceAddress(address: string): boolean {
  return /^(stun|turn)s?:[^\s/]+$/.test(address)
}

function isPlainAddress(address: string): boolean {
  if (!URL.canParse(address)) return false
  const { search, hash, username, password } = new URL(address)
  return search + hash + username + password === ''
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
