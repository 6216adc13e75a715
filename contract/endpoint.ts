import type { z } from 'zod'

/** A read changes nothing and is a GET; a command is a POST. Both live at `/api/<topic>.<name>`. */
export type Kind = 'read' | 'command'

/**
 * Who may call at all: anyone; any login, anonymous ones too, which may only read; or a login of a person
 * who has proven an address. Membership and ownership are checked by the handler.
 */
export type Auth = 'anyone' | 'any-login' | 'signed-in'

/** One call that crosses the wire. The server validates with it; the browser imports its types. */
export interface Endpoint<
  K extends Kind = Kind,
  A extends Auth = Auth,
  I extends z.ZodType = z.ZodType,
  O extends z.ZodType = z.ZodType,
> {
  readonly kind: K
  readonly auth: A
  /** `command`: its database work goes ahead of all other. Only for what the driver has to see at once. */
  readonly lane?: 'command' | undefined
  /**
   * Calls a minute, of one login or of one network without a login, that are counted apart from all other
   * calls: nothing else can use them up. Without it a general limit holds for all such endpoints together.
   */
  readonly callsPerMinute?: number | undefined
  /** One sentence for the OpenAPI document. */
  readonly summary: string
  readonly input: I
  readonly output: O
}

type Parts<A extends Auth, I extends z.ZodType, O extends z.ZodType> = Omit<
  Endpoint<Kind, A, I, O>,
  'kind'
>

export function read<A extends Auth, I extends z.ZodType, O extends z.ZodType>(
  parts: Parts<A, I, O>,
): Endpoint<'read', A, I, O> {
  return { kind: 'read', ...parts }
}

export function command<A extends Auth, I extends z.ZodType, O extends z.ZodType>(
  parts: Parts<A, I, O>,
): Endpoint<'command', A, I, O> {
  return { kind: 'command', ...parts }
}
