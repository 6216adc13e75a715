import { callMends } from './callMends.ts'
import { lineMends } from './lineMends.ts'
import type { Mend } from './mend.ts'

/** Our own prompt takes the place of the library's: see web/features/support/Prompt.tsx. */
export const promptModule = 'pitboard:support-prompt'

const ownPrompt: Mend = {
  why: 'its prompts cannot be refused by Escape, nor held while a message is on the screen',
  from: "import ConfirmWindow from './ConfirmWindow/ConfirmWindow.js';",
  to: `import { Prompt as ConfirmWindow } from '${promptModule}';`,
}

/**
 * What is mended of @openreplay/tracker 14.0.14, its add-on tracker-assist 9.0.1, what comes with them and
 * @rrweb/record 2.1.6, by file. Their licence (MIT) allows it. All of it was found by running them. Each text
 * is looked for when the app is built, and the build fails without it.
 */
export const mends: Readonly<Record<string, readonly Mend[]>> = {
  '@openreplay/tracker-assist/lib/Assist.js': [ownPrompt, ...lineMends, ...callMends],
  '@openreplay/tracker-assist/lib/CallWindow.js': [
    {
      why: 'its window comes from another host',
      from: "const baseHref = 'https://static.openreplay.com/tracker-assist/4.0.0';",
      to: "const baseHref = '/support';",
    },
  ],
  '@openreplay/tracker-assist/lib/RemoteControl.js': [
    ownPrompt,
    {
      why: 'the time of an earlier request ends a later one',
      from: '            setTimeout(() => {\n                if (this.status === RCStatus.Requesting) {',
      to: '            clearTimeout(this.expiry);\n            this.expiry = setTimeout(() => {\n                if (this.status === RCStatus.Requesting) {',
    },
    {
      why: 'it comes back too where the phone has thrown a hidden tab away; a reload is over sooner',
      from: 'if (document.hidden)\n                    this.releaseControl(false, true);',
      to: `if (document.hidden) {
                    this.releaseControl(false, true);
                    setTimeout(() => {
                        if (document.hidden) sessionStorage.removeItem(this.options.session_control_peer_key);
                    }, 1000);
                }`,
    },
    {
      why: 'control that ended with the hidden tab comes back unasked when the tab does',
      from: `                    if (this.status === RCStatus.Disabled) {
                        this.reconnect([id,]);
                    }`,
      to: `                    if (this.status === RCStatus.Disabled) {
                        sessionStorage.removeItem(this.options.session_control_peer_key);
                    }`,
    },
  ],
  '@openreplay/tracker-assist/lib/ScreenRecordingState.js': [ownPrompt],
  '@openreplay/tracker-assist/lib/Mouse.js': [
    {
      why: 'the agent’s name is put in as HTML, and is longer than 10 characters',
      from: "this.agentName.slice(0, 9) + '...' : this.agentName : 'Agent';\n        agentBubble.innerHTML = `<span>${agentNameStr}</span>`;",
      to: "this.agentName.slice(0, 9) + '…' : this.agentName : 'Agent';\n        agentBubble.textContent = agentNameStr;",
    },
    {
      why: 'a click on the drawing in a button does nothing',
      from: '        const el = document.elementFromPoint(pos[0], pos[1]);\n        if (el',
      to: "        const el = document.elementFromPoint(pos[0], pos[1])?.closest(':not(svg, svg *)');\n        if (el",
    },
  ],
  'socket.io-client/build/esm/manager.js': [
    {
      why: 'a namespace as an object needs code that every first load would carry',
      from: 'import * as parser from "socket.io-parser";',
      to: 'import { Encoder, Decoder } from "socket.io-parser";\nconst parser = { Encoder, Decoder };',
    },
  ],
  'peerjs/dist/bundler.mjs': [
    {
      why: '36 kB mend old browsers, which the app does not run in; only a name and a version are looked at',
      from: 'import $gCcbY$webrtcadapter from "webrtc-adapter";',
      to: "const $gCcbY$webrtcadapter = { browserDetails: { browser: 'chrome', version: 120 } };",
    },
  ],
  '@openreplay/tracker/dist/lib/index.js': [
    {
      why: 'the widget of a test makes a style sheet of its own, which the content security policy refuses',
      from: 'function createSpinner() {\n    addKeyframes();',
      to: 'function createSpinner() {',
    },
    {
      why: 'the last task of a test is where the next test begins',
      from: 'this.showEndSection();\n            }',
      to: 'this.showEndSection();\n                return;\n            }',
    },
    {
      why: 'who takes part in a test reads that the tab, the microphone and the camera are recorded',
      from: `Your insights matter!\\n
📹 We're recording this browser tab to learn from your experience.
🎤 Please enable mic and camera if asked, to give us a complete picture.\``,
      to: 'Your insights matter!\\n\\nWe keep how far you come, how long it takes and what you write.`',
    },
  ],
  '@rrweb/record/dist/record.js': [
    {
      why: 'a style is compared by writing it as an attribute, which the content security policy refuses',
      from: 'old.setAttribute("style", m.oldValue);',
      to: 'old.style.cssText = m.oldValue;',
    },
  ],
}
