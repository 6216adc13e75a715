import Tracker from '@openreplay/tracker'
import trackerAssist from '@openreplay/tracker-assist'
import type { Socket } from 'socket.io-client'
import type { SupportSettings } from '#contract/support.ts'
import { ingestPath, unansweredMs, viewEvent } from '#contract/supportRules.ts'
import { read } from '#web/api/call.ts'
import { supportText } from '#web/text/support.ts'
import { followConsent } from './consent.ts'
import { forgetTracks } from './forgetTracks.ts'
import type { View } from './supportView.ts'
import './overlays.css'

/** What the tracker shows of a usability test. */
const testOverlayId = '__or_ut_bg'

/** One for the page: a second one is refused by the library. */
let running: Running | null = null

interface Running {
  tracker: Tracker
  /** None where the browser has no microphone to offer. */
  assist: ReturnType<ReturnType<typeof trackerAssist>>
}

/**
 * Lets support reach this browser, under the person's address, until it is over. Nothing of the page goes
 * anywhere before the person agrees to it.
 * @throws when it cannot begin: there is no network, or the server does not want it.
 */
export async function startVisit(email: string, over: AbortSignal): Promise<void> {
  const settings = await read('support.settings', {}, { signal: over })
  over.throwIfAborted()
  // Somebody else may have been signed in before.
  const forceNew = running !== null
  running ??= run(settings)
  const { tracker, assist } = running
  const stop = () => {
    // The tracker does not tell it to while it begins anew for an agent.
    assist?.['clean']()
    tracker.stop()
    document.getElementById(testOverlayId)?.remove()
    // Whoever comes next begins another test.
    if (tracker['app']) tracker['app']['uxtManager'] = undefined
    forgetTracks()
  }
  over.addEventListener('abort', stop, { once: true })
  const { success } = await tracker.start({ userID: email, forceNew })
  if (over.aborted) return stop()
  if (!success) {
    // After an answer it did not like, the tracker would go on starting.
    tracker.stop()
    throw new Error('The visit did not begin.')
  }
  const socket = assist?.['socket']
  if (!socket) return
  // It gives up after a while without a network.
  addEventListener('online', () => socket.connect(), { signal: over })
  if (settings.ingestUrl === null) showTo(socket, String(tracker.getTabId()), over)
}

/** Shows the page to agents who may see it, as long as there are any. */
function showTo(socket: Socket, tabId: string, over: AbortSignal) {
  let view: Promise<View> | null = null
  const send = (data: ArrayBuffer) => {
    if (socket.connected) socket.emit(viewEvent, { meta: { tabId }, data })
  }
  const undo = followConsent(socket, agents => {
    const before = view
    if (agents.size === 0) {
      view = null
      void before?.then(each => each.stop())
    } else if (before) void before.then(each => each.again())
    else view = import('./supportView.ts').then(({ viewPage }) => viewPage(send))
  })
  over.addEventListener('abort', undo, { once: true })
}

function run(settings: SupportSettings): Running {
  const builtin = settings.ingestUrl === null
  const tracker = new Tracker({
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
  return { tracker, assist: tracker.use(trackerAssist(assistOptions(!builtin))) }
}

function assistOptions(sendsPage: boolean) {
  return {
    ...prompts,
    callUITemplate: '/support/call.html',
    callServers,
    compressionEnabled: true,
    /** See web/build/vendorPatches.ts. */
    sendsPage,
  }
}

/** Asked for once the person takes a call. Without an answer the two browsers try to find each other directly. */
async function callServers() {
  try {
    return (await read('support.callServers', {})).iceServers
  } catch {
    return []
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
