import type { EpochMs, UserId } from '#contract/ids.ts'
import { dayMs } from '#contract/shared/durations.ts'
import type { AppContext } from '../../context.ts'
import { causeOf } from '../../mail/causeOf.ts'
import { newDeviceMail } from '../../mail/templates.ts'
import { isWithinSharedLimit } from '../../rateLimit/sharedLimits.ts'
import { describeBrowser } from './describeBrowser.ts'

/** Mails about new devices to one user; further sign-ins of a day are not mailed. */
export const newDeviceMailsPerDay = 5

interface NewDevice {
  userId: UserId
  email: string
  /** From `knownBrowserOf`, before the sign-in. A known browser is not mailed. */
  knownBrowser: string | null
  /** The first sign-in of an account is not mailed. */
  isNew: boolean
  /** True for a device that gets a token instead of a cookie. */
  isDevice: boolean
  userAgent: string | undefined
  at: EpochMs
}

/**
 * Mails the user about a sign-in from a browser in which they have not signed in before. The sign-in neither
 * waits for the mail nor fails with it.
 */
export async function mailNewDevice(context: AppContext, device: NewDevice) {
  if (device.isNew || device.knownBrowser !== null) return
  const { log } = context
  try {
    const limit = { what: 'new-device-mail', key: device.userId, limit: newDeviceMailsPerDay }
    if (!(await isWithinSharedLimit(context, { ...limit, windowMs: dayMs }))) return
  } catch (error) {
    log.error({ err: error }, 'failed to count a mail about a new device')
    return
  }
  const mail = newDeviceMail({
    at: device.at,
    device: device.isDevice ? 'device' : describeBrowser(device.userAgent),
    publicUrl: context.publicUrl(),
  })
  void context.mailer.send({ to: device.email, ...mail }).catch((error: unknown) => {
    log.error({ cause: causeOf(error) }, 'failed to send a mail about a new device')
  })
}
