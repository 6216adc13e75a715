import { z } from 'zod'
import { Email } from '#contract/users.ts'
import { IceServer } from '#support/contract/support.ts'

const iceError =
  'must be a JSON list such as [{"urls":"turn:turn.example.com","username":"…","credential":"…"}]'

const IceServers = z
  .array(IceServer)
  .max(10)
  .refine(servers => servers.every(({ urls }) => [urls].flat().every(isIceAddress)))

/** Settings of an external OpenReplay server (the first two), or of the built-in desk (SUPPORT_BUILTIN). */
export const SupportSettings = z.object({
  SUPPORT_PROJECT_KEY: z
    .string()
    // With any other key an OpenReplay server accepts neither recordings nor agents, without an error.
    .regex(/^[A-Za-z0-9]{20}$/, 'must be the 20 letters and digits of an OpenReplay project')
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
    .refine(all => all.every(({ success }) => success), 'must be comma-separated e-mail addresses')
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
  /** An external OpenReplay server; undefined means that this server is the desk. */
  external: { ingestUrl: string; projectKey: string } | undefined
  iceServers: IceServer[]
  /** Shared with the TURN servers of `iceServers`, to generate credentials for a call. */
  turnSecret?: string | undefined
  /** Email addresses of the agents. */
  admins: ReadonlySet<string>
  /** Interval of the checks of open sockets; 30 s by default. */
  recheckIntervalMs?: number
}

/** Reports settings that contradict each other. */
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
    refuse(
      'SUPPORT_BUILTIN',
      'cannot be 1 together with SUPPORT_INGEST_URL: there is only one support desk',
    )
  }
  if (builtin && settings.NATS_URL !== undefined) {
    refuse(
      'SUPPORT_BUILTIN',
      'cannot be 1 together with NATS_URL: the desk is in the memory of one process, so an agent would only see visitors connected to the same one. Run one process, or set SUPPORT_INGEST_URL',
    )
  }
  const { SUPPORT_ICE_SERVERS: iceServers = [], SUPPORT_TURN_SECRET: turnSecret } = settings
  if (turnSecret !== undefined && !iceServers.some(isTurn)) {
    refuse('SUPPORT_TURN_SECRET', 'needs a TURN server in SUPPORT_ICE_SERVERS')
  }
  if (external && turnSecret === undefined && iceServers.some(hasCredential)) {
    refuse(
      'SUPPORT_TURN_SECRET',
      'must be set: this server does not know the calls of an external desk, so it would send a credential in SUPPORT_ICE_SERVERS to every signed-in user',
    )
  }
  if (settings.SUPPORT_ADMINS !== undefined && !builtin) {
    refuse('SUPPORT_ADMINS', 'needs SUPPORT_BUILTIN=1: agents of an external desk sign in there')
  }
}

/** Converts the settings; undefined if support is not configured. */
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

/** Whether a server relays calls, which costs bandwidth and therefore needs a credential. */
export function isTurn({ urls }: IceServer): boolean {
  return [urls].flat().some(url => /^turns?:/.test(url))
}
