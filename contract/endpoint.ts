import type { z } from 'zod'

/** A read changes nothing and is a GET; a command is a POST. Both live at `/api/<topic>.<name>`. */
export type Kind = 'read' | 'command'

/** Who may call at all. Membership and ownership are checked by the handler. */
export type Auth = 'anyone' | 'signed-in'

/** One call that crosses the wire. The server validates with it; the browser imports its types. */
export interface Endpoint<
  K extends Kind = Kind,
  A extends Auth = Auth,
  I extends z.ZodType = z.ZodType,
  O extends z.ZodType = z.ZodType,
> {
  readonly kind: K
  readonly auth: A
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
