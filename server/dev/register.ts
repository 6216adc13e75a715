import type { FastifyInstance } from 'fastify'
import type { OpenIdClient } from '../auth/googleProvider.ts'
import { hasDevPages } from '../config.ts'
import type { AppContext } from '../context.ts'
import { demoClient, registerDemoProvider } from './demoProvider.ts'
import { registerDevSignIn } from './devSignIn.ts'
import { registerMailbox } from './mailbox.ts'

/**
 * Registers the pages under /dev, if this server has them. Returns the client of the demo provider, for
 * sign-in without a real one.
 */
export function registerDevPages(
  app: FastifyInstance,
  context: AppContext,
): { openIdClient(): OpenIdClient | undefined } {
  const { outbox } = context.mailer
  if (hasDevPages(context.config) && outbox) {
    registerMailbox(app, outbox, context.config.devToken)
    registerDevSignIn(app, context)
    registerDemoProvider(app, context)
  }
  return { openIdClient: () => demoClient(context) }
}
