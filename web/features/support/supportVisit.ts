import Tracker from '@openreplay/tracker'
import trackerAssist from '@openreplay/tracker-assist'
import type { SupportSettings } from '#contract/support.ts'
import { ingestPath, unansweredMs } from '#contract/supportRules.ts'
import { read } from '#web/api/call.ts'
import { supportText } from '#web/text/support.ts'
import { forgetTracks } from './forgetTracks.ts'
import './overlays.css'

/** One for the page: a second one is refused by the library. */
let tracker: Tracker | null = null

/**
 * Lets support reach this browser, under the person's address, until it is over. Nothing of the page goes
 * anywhere before the person agrees to it.
 * @throws when it cannot begin: there is no network, or the server does not want it.
 */
export async function startVisit(email: string, over: AbortSignal): Promise<void> {
  const settings = await read('support.settings', {}, { signal: over })
  over.throwIfAborted()
  // Somebody else may have been signed in before.
  const forceNew = tracker !== null
  tracker ??= trackerFor(settings)
  const { start, stop } = visitOf(tracker)
  over.addEventListener('abort', stop, { once: true })
  try {
    await start({ userID: email, forceNew })
  } finally {
    if (over.aborted) stop()
  }
}

function visitOf(running: Tracker) {
  return {
    async start(options: { userID: string; forceNew: boolean }) {
      const { success, ...more } = await running.start(options)
      if (!success) throw new Error('reason' in more ? more.reason : 'not started')
    },
    stop() {
      running.stop()
      forgetTracks()
    },
  }
}

function trackerFor(settings: SupportSettings): Tracker {
  const builtin = settings.ingestUrl === null
  const made = new Tracker({
    projectKey: settings.projectKey,
    ingestPoint: settings.ingestUrl ?? `${location.origin}${ingestPath}`,
    // Whether there is HTTPS is for whoever runs the server to say.
    __DISABLE_SECURE_MODE: true,
    // Addresses of pages carry ids, and what is written to the console is nobody's business.
    consoleMethods: [],
    capturePerformance: false,
    captureResourceTimings: false,
    capturePageLoadTimings: false,
    capturePageRenderTimings: false,
    captureExceptions: false,
    obscureTextEmails: true,
    obscureInputEmails: true,
    obscureInputNumbers: true,
    obscureInputDates: true,
    defaultInputMode: 1,
    network: {
      failuresOnly: false,
      sessionTokenHeader: false,
      capturePayload: false,
      ignoreHeaders: true,
      captureInIframes: false,
      sanitizer: () => null,
    },
    // Our own desk sees the page by other means, and only once the person agreed.
    ...(builtin && { domSanitizer: () => 2 }),
  })
  made.use(trackerAssist(assistOptions(settings, !builtin)))
  return made
}

function assistOptions({ iceServers }: SupportSettings, sendsPage: boolean) {
  return {
    ...prompts,
    callUITemplate: '/support/call.html',
    // Zod says of what is left out that it may be undefined.
    config: { iceServers: iceServers as RTCIceServer[] },
    compressionEnabled: true,
    /** See web/build/mends.ts. */
    sendsPage,
  }
}

/** What the person is asked, in our words: see Prompt.tsx. */
const prompts = {
  callConfirm: {
    text: supportText.call,
    confirmBtn: supportText.answer,
    declineBtn: supportText.reject,
    rings: true,
  },
  controlConfirm: {
    text: supportText.control,
    confirmBtn: supportText.allowControl,
    declineBtn: supportText.reject,
  },
  recordingConfirm: {
    text: supportText.recording,
    confirmBtn: supportText.allowRecording,
    declineBtn: supportText.reject,
    unansweredMs,
  },
}
