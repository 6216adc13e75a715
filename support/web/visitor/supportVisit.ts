import Tracker from '@openreplay/tracker'
import trackerAssist from '@openreplay/tracker-assist'
import type { Socket } from 'socket.io-client'
import type { SupportSettings } from '#support/contract/support.ts'
import { ingestPath, unansweredMs, viewEvent } from '#support/contract/supportRules.ts'
import { supportText } from '#support/web/text/visitor.ts'
import { read } from '#web/api/call.ts'
import { endAbsentAgents } from './absentAgents.ts'
import { followConsent } from './consent.ts'
import { followOpenReplay, noCalls } from './openReplay.ts'
import { Prompt } from './Prompt.tsx'
import type { PromptOptions } from './PromptCard.tsx'
import type { View } from './supportView.ts'
import './overlays.css'

/** Texts that differ between the built-in desk and an OpenReplay server. */
type ConsentTexts = typeof supportText.builtin

/** Id of the tracker's usability test overlay. */
const testOverlayId = '__or_ut_bg'

/** One tracker per page: the library refuses a second one. */
let running: Running | null = null

interface Running {
  tracker: Tracker
  /** Null if the browser has no microphone. */
  assist: ReturnType<ReturnType<typeof trackerAssist>>
}

/**
 * Connects this browser to the support desk, under the person's email address, until `signal` aborts. No
 * page content is sent before the person consents.
 * @throws if it cannot start: no network, or refused by the server.
 */
export async function startVisit(email: string, signal: AbortSignal): Promise<void> {
  const settings = await read('support.settings', {}, { signal })
  signal.throwIfAborted()
  // Another person may have been signed in before.
  const forceNew = running !== null
  running ??= run(settings)
  const { tracker, assist } = running
  const stop = () => {
    // The tracker does not clean up the add-on while it restarts for an agent.
    assist?.['clean']()
    tracker.stop()
    document.getElementById(testOverlayId)?.remove()
    // The next visitor starts with a fresh usability test.
    if (tracker['app']) tracker['app']['uxtManager'] = undefined
    forgetTracks()
  }
  signal.addEventListener('abort', stop, { once: true })
  const started = await tracker.start({ userID: email, forceNew })
  if (signal.aborted) return stop()
  if (!started.success) {
    if (settings.ingestUrl !== null) warn(`OpenReplay refused the visit: ${String(started.reason)}`)
    // After an unsuccessful response the tracker would keep retrying.
    tracker.stop()
    throw new Error('Failed to start the support visit.')
  }
  const socket = assist?.['socket']
  if (!socket) return
  endAbsentAgents(socket, { agents: () => Object.keys(assist['agents']), signal })
  // socket.io stops reconnecting after 30 attempts.
  addEventListener('online', () => socket.connect(), { signal })
  const tabId = String(tracker.getTabId())
  if (settings.ingestUrl === null) streamTo(socket, tabId, signal)
  else followOpenReplay(socket, { tabId, signal, warn })
}

function warn(reason: string) {
  // oxlint-disable-next-line no-console -- only an operator who looks for the reason reads it
  console.warn(reason)
}

/** Streams the page while there are agents who may see it. */
function streamTo(socket: Socket, tabId: string, signal: AbortSignal) {
  let view: Promise<View> | null = null
  const send = (data: ArrayBuffer) => {
    if (socket.connected) socket.emit(viewEvent, { meta: { tabId }, data })
  }
  const unsubscribe = followConsent(socket, agents => {
    const before = view
    if (agents.size === 0) {
      view = null
      void before?.then(each => each.stop())
    } else if (before) void before.then(each => each.sendSnapshot())
    else view = import('./supportView.ts').then(({ viewPage }) => viewPage(send))
  })
  signal.addEventListener('abort', unsubscribe, { once: true })
}

function run(settings: SupportSettings): Running {
  const builtin = settings.ingestUrl === null
  const texts = builtin ? supportText.builtin : supportText.openReplay
  // An option that only the patched tracker has: see patches/.
  const patched = { testIntroduction: texts.test }
  const tracker = new Tracker({
    projectKey: settings.projectKey,
    ingestPoint: settings.ingestUrl ?? `${location.origin}${ingestPath}`,
    // HTTPS is the responsibility of the server's operator.
    __DISABLE_SECURE_MODE: true,
    // URLs contain ids, and console output is private.
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
    // Our own desk uses rrweb instead, and only after consent.
    ...(builtin ? { domSanitizer: () => 2 } : { respectDoNotTrack: true }),
    ...patched,
  })
  return { tracker, assist: tracker.use(trackerAssist(assistOptions(texts, !builtin))) }
}

function assistOptions(texts: ConsentTexts, sendsPage: boolean) {
  return {
    ...promptsWith(texts),
    callUITemplate: '/support/call.html',
    callServers,
    compressionEnabled: true,
    // Options that only the patched add-on has: see patches/.
    sendsPage,
    // Our own desk has no picture of the visitor's camera.
    showsCamera: sendsPage,
    createPrompt: (options: PromptOptions) => new Prompt(options),
    onNoCallServer: () => sendsPage && warn(noCalls),
    onMicrophoneFailed: () => void explain(supportText.microphone),
  }
}

/**
 * Fetched once the person answers a call. Without ICE servers the two browsers try to connect directly.
 */
async function callServers() {
  try {
    return (await read('support.callServers', {})).iceServers
  } catch {
    return []
  }
}

/** Shows a card that can only be closed. Closes automatically, like an unanswered prompt. */
async function explain(text: string) {
  const card = new Prompt({ text, declineBtn: supportText.close, unansweredMs })
  await card.mount()
  card.remove()
}

/** Our texts for the prompts: see Prompt.tsx. */
function promptsWith({ control, recording }: ConsentTexts) {
  const { call, answer, allowControl, allowRecording, reject: declineBtn } = supportText
  return {
    callConfirm: { text: call, confirmBtn: answer, declineBtn, rings: true },
    controlConfirm: { text: control, confirmBtn: allowControl, declineBtn },
    recordingConfirm: { text: recording, confirmBtn: allowRecording, declineBtn, unansweredMs },
  }
}

/**
 * Keys that the tracker and its add-on store in the browser. Source: their code, 14.0.14 and 9.0.1.
 */
const keys = {
  local: [
    '__openreplay_uuid',
    'or_uxt_active',
    'or_uxt_session_id',
    'or_uxt_test_id',
    'or_uxt_test_start',
    'or_uxt_task_index',
  ],
  session: [
    '__openreplay_token',
    '__openreplay_tabid',
    '__openreplay_pageno',
    '__openreplay_reset',
    '__openreplay_flags',
    '__openreplay_control_peer',
    // Set by the patched add-on: see patches/.
    '__openreplay_control_name',
    '__openreplay_calling_peer',
    '__openreplay_assist_call_start_ts',
  ],
}

/** Deletes the traces of the visit: the next visitor may be somebody else. */
function forgetTracks() {
  for (const key of keys.local) localStorage.removeItem(key)
  for (const key of keys.session) sessionStorage.removeItem(key)
}
