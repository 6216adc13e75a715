import type { z } from 'zod'
import type { Scope } from './shared/scopes.ts'

/** A read changes nothing and is a GET; a command is a POST. Both live at `/api/<topic>.<name>`. */
export type Kind = 'read' | 'command'

/**
 * Access level of a call: anyone; any login (an anonymous one may only read); that of a known person, also of one who
 * joined by a code; or an account, which has a verified e-mail address or a passkey. The handler checks membership and
 * ownership.
 */
export type Auth = 'anyone' | 'any-login' | 'signed-in' | 'account'

/** One HTTP call. The server validates requests against it; the browser imports its types. */
export interface Endpoint<
  K extends Kind = Kind,
  A extends Auth = Auth,
  I extends z.ZodType = z.ZodType,
  O extends z.ZodType = z.ZodType,
> {
  readonly kind: K
  readonly auth: A
  /**
   * Devices may make the call with a token that has one of these scopes. Without this value only browsers may.
   * Calls for `anyone` ignore it.
   */
  readonly scopes?: readonly Scope[] | undefined
  /**
   * `command` gives the call's queries priority in the database. Only for calls whose effect the driver must see at once.
   */
  readonly lane?: 'command' | undefined
  /**
   * A lower rate limit than usual: `costly` for calls that take the server long, `rare` for those whose effect is
   * stored for long or fetched by many. The limits are in `server/http/callLimits.ts`.
   */
  readonly limit?: 'costly' | 'rare' | undefined
  /** Largest body of the request, if it differs from the limit of other commands. */
  readonly maxBodyBytes?: number | undefined
  /** One sentence for the OpenAPI document. */
  readonly summary: string
  readonly input: I
  readonly output: O
}

type EndpointFields<A extends Auth, I extends z.ZodType, O extends z.ZodType> = Omit<
  Endpoint<Kind, A, I, O>,
  'kind'
>

export function read<A extends Auth, I extends z.ZodType, O extends z.ZodType>(
  fields: EndpointFields<A, I, O>,
): Endpoint<'read', A, I, O> {
  return { kind: 'read', ...fields }
}

export function command<A extends Auth, I extends z.ZodType, O extends z.ZodType>(
  fields: EndpointFields<A, I, O>,
): Endpoint<'command', A, I, O> {
  return { kind: 'command', ...fields }
}
