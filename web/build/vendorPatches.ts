import { callPatches } from './callPatches.ts'
import { connectionPatches } from './connectionPatches.ts'
import type { VendorPatch } from './vendorPatch.ts'

/** Our own prompt replaces the library's: see support/web/visitor/Prompt.tsx. */
export const promptModule = 'pitboard:support-prompt'

const promptPatch: VendorPatch = {
  why: 'its prompts cannot be rejected with Escape, nor postponed while a message is on the screen',
  from: "import ConfirmWindow from './ConfirmWindow/ConfirmWindow.js';",
  to: `import { Prompt as ConfirmWindow } from '${promptModule}';`,
}

/**
 * Patches of @openreplay/tracker 14.0.14, its add-on tracker-assist 9.0.1, their dependencies and
 * @rrweb/record 2.1.6, by file. Their licence (MIT) permits it. Each defect was found by running them.
 * The build fails if a passage is missing.
 */
export const vendorPatches: Readonly<Record<string, readonly VendorPatch[]>> = {
  '@openreplay/tracker-assist/lib/Assist.js': [promptPatch, ...connectionPatches, ...callPatches],
  '@openreplay/tracker-assist/lib/CallWindow.js': [
    {
      why: 'the call window is loaded from another host',
      from: "const baseHref = 'https://static.openreplay.com/tracker-assist/4.0.0';",
      to: "const baseHref = '/support';",
    },
  ],
  '@openreplay/tracker-assist/lib/RemoteControl.js': [
    promptPatch,
    {
      why: 'the timeout of an earlier request cancels a later one',
      from: '            setTimeout(() => {\n                if (this.status === RCStatus.Requesting) {',
      to: '            clearTimeout(this.expiry);\n            this.expiry = setTimeout(() => {\n                if (this.status === RCStatus.Requesting) {',
    },
    {
      why: 'control resumes even if the phone discarded the hidden tab (a reload takes less than a second)',
      from: 'if (document.hidden)\n                    this.releaseControl(false, true);',
      to: `if (document.hidden) {
                    this.releaseControl(false, true);
                    setTimeout(() => {
                        if (document.hidden) sessionStorage.removeItem(this.options.session_control_peer_key);
                    }, 1000);
                }`,
    },
    {
      why: 'control that ended when the tab was hidden resumes without consent when it is visible again',
      from: `                    if (this.status === RCStatus.Disabled) {
                        this.reconnect([id,]);
                    }`,
      to: `                    if (this.status === RCStatus.Disabled) {
                        sessionStorage.removeItem(this.options.session_control_peer_key);
                    }`,
    },
  ],
  '@openreplay/tracker-assist/lib/ScreenRecordingState.js': [promptPatch],
  '@openreplay/tracker-assist/lib/Mouse.js': [
    {
      why: 'the agent’s name is inserted as HTML, and an ellipsis makes it longer than 10 characters',
      from: "this.agentName.slice(0, 9) + '...' : this.agentName : 'Agent';\n        agentBubble.innerHTML = `<span>${agentNameStr}</span>`;",
      to: "this.agentName.slice(0, 9) + '…' : this.agentName : 'Agent';\n        agentBubble.textContent = agentNameStr;",
    },
    {
      why: 'a click on an icon inside a button does nothing',
      from: '        const el = document.elementFromPoint(pos[0], pos[1]);\n        if (el',
      to: "        const el = document.elementFromPoint(pos[0], pos[1])?.closest(':not(svg, svg *)');\n        if (el",
    },
  ],
  'socket.io-client/build/esm/manager.js': [
    {
      why: 'the namespace import as an object pulls unused code into every first load',
      from: 'import * as parser from "socket.io-parser";',
      to: 'import { Encoder, Decoder } from "socket.io-parser";\nconst parser = { Encoder, Decoder };',
    },
  ],
  'peerjs/dist/bundler.mjs': [
    {
      why: '36 kB patch old browsers that the app does not support; only a name and a version are read',
      from: 'import $gCcbY$webrtcadapter from "webrtc-adapter";',
      to: "const $gCcbY$webrtcadapter = { browserDetails: { browser: 'chrome', version: 120 } };",
    },
  ],
  '@openreplay/tracker/dist/lib/index.js': [
    {
      why: 'the usability test widget creates a style sheet, which the content security policy blocks',
      from: 'function createSpinner() {\n    addKeyframes();',
      to: 'function createSpinner() {',
    },
    {
      why: 'after the last task of a usability test the next test starts',
      from: 'this.showEndSection();\n            }',
      to: 'this.showEndSection();\n                return;\n            }',
    },
    {
      why: 'participants of a usability test read that the tab, the microphone and the camera are recorded',
      from: `Your insights matter!\\n
📹 We're recording this browser tab to learn from your experience.
🎤 Please enable mic and camera if asked, to give us a complete picture.\``,
      to: 'Your insights matter!\\n\\nWe record how far you get, how long it takes and what you write.`',
    },
  ],
  '@rrweb/record/dist/record.js': [
    {
      why: 'styles are compared by writing an attribute, which the content security policy blocks',
      from: 'old.setAttribute("style", m.oldValue);',
      to: 'old.style.cssText = m.oldValue;',
    },
  ],
}
