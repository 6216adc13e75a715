import type { FastifyRequest } from 'fastify'
import { Refusal } from '#contract/refusal.ts'
import type { AppContext } from '../context.ts'
import { causeOf } from '../mail/causeOf.ts'
import type { Mail } from '../mail/outbox.ts'
import { codeLifeMinutes, discardCode, type MadeCode } from './codes.ts'
import { knownBrowserOf } from './logins/knownBrowser.ts'
import { type CodeRequest, uncountCode, uncountTry } from './signInLimits.ts'

/** Identifies the sender by values that cannot be forged: the network, and the proof of an earlier sign-in. */
export async function codeRequestOf(
  context: AppContext,
  request: FastifyRequest,
  email: string,
): Promise<CodeRequest> {
  const [publicUrl, now] = [context.publicUrl(), context.clock.now()]
  const knownBrowser = await knownBrowserOf(context.db, request, { publicUrl, email, now })
  return { email, ip: request.ip, knownBrowser }
}

export type ComposeCodeMail = (code: {
  code: string
  minutes: number
  publicUrl: string
}) => Omit<Mail, 'to'>

/** Mails a code. If that fails, discards and uncounts the code and refuses with `mail-not-sent`. */
export async function mailCode(
  context: AppContext,
  codeRequest: CodeRequest,
  made: MadeCode,
  compose: ComposeCodeMail,
) {
  const { mailer, db, log } = context
  try {
    const { code } = made
    const mail = compose({ code, minutes: codeLifeMinutes, publicUrl: context.publicUrl() })
    await mailer.send({ to: made.email, ...mail })
  } catch (error) {
    log.error({ cause: causeOf(error) }, 'failed to send a code mail')
    await discardCode(db, made)
    await uncountCode(context, codeRequest)
    throw new Refusal('mail-not-sent')
  }
}

/** Reverts the counts of a code that was used. A failure only leaves a count too high, so it is logged. */
export async function uncountUsed(context: AppContext, codeRequest: CodeRequest) {
  try {
    await uncountTry(context, codeRequest)
    await uncountCode(context, codeRequest)
  } catch (error) {
    context.log.warn({ err: error }, 'failed to uncount a used code')
  }
}
