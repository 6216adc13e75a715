import type { Mend } from './mend.ts'

/** What is mended of the calls in Assist.js. They know one call at a time: `current`, from its ring on. */
export const callMends: readonly Mend[] = [
  {
    why: 'calls go to port 443 or 80 only, with the address’s own port in the name, and to public servers',
    from: `            host: this.getHost(),
            path: this.getBasePrefixUrl() + '/assist',
            port: location.protocol === 'http:' && this.noSecureMode ? 80 : 443,
            debug: 2,`,
    to: `            host: this.getHost().replace(/:\\d+$/, ''),
            path: this.getBasePrefixUrl() + '/assist',
            port: Number(/:(\\d+)$/.exec(this.getHost())?.[1]) || (location.protocol === 'http:' && this.noSecureMode ? 80 : 443),
            config: { iceServers: [] },
            debug: 0,`,
  },
  {
    why: 'a call sounds although its prompt may have to wait: the prompt sounds by itself',
    from: '                    this.playNotificationSound(); // For every new agent',
    to: '                    // For every new agent',
  },
  {
    why: 'the sound comes from another host',
    from: "new Audio('https://static.openreplay.com/tracker-assist/notification.mp3')",
    to: "new Audio('/support/ring.wav')",
  },
  {
    why: 'the time of an earlier call ends a later one',
    from: `setTimeout(() => {
                        if (this.callingState !== CallingState.Requesting) {`,
    to: `clearTimeout(this.callExpiry);
                    this.callExpiry = setTimeout(() => {
                        if (this.callingState !== CallingState.Requesting) {`,
  },
  {
    why: 'after a call every change of the tab ends a call once more',
    from: `                    document.addEventListener('visibilitychange', () => {
                        initiateCallEnd();
                    });`,
    to: "                    document.addEventListener('visibilitychange', initiateCallEnd, { once: true });",
  },
  {
    why: 'it does not know which call rings or is on, nor whose it is',
    from: 'let callEndCallback = null;',
    to: `let callEndCallback = null;
        let current = null;
        const peerIds = new Map();`,
  },
  {
    why: 'a second agent is heard without being asked for, and so is one who calls again after a crash',
    from: `const callingPeerIds = JSON.parse(sessionStorage.getItem(this.options.session_calling_peer_key) || '[]');
                if (callingPeerIds.includes(call.peer) || this.callingState === CallingState.True) {`,
    to: `if (current && current.peer !== call.peer) {
                    call.close();
                    return;
                }
                current?.close();
                current = call;
                if (this.callingState === CallingState.True) {`,
  },
  {
    why: 'an answer counts for a call that is over',
    from: 'if (!agreed) {',
    to: 'if (current !== call) return;\n                    if (!agreed) {',
  },
  {
    why: 'a call that is over while the browser asks for the microphone is answered',
    from: 'lStreams[call.peer] = await RequestLocalStream();',
    to: `const stream = await RequestLocalStream();
                            if (current !== call) {
                                stream.stop();
                                return;
                            }
                            lStreams[call.peer] = stream;`,
  },
  {
    why: 'servers for a call, with their credentials, have to be known before anybody calls',
    from: 'calls[call.peer] = call;',
    to: `peer.options.config = { iceServers: await this.options.callServers() };
                        if (current !== call) return;
                        calls[call.peer] = call;`,
  },
  {
    why: 'the microphone of a call that is over ends a later one',
    from: "app.debug.error('Audio media device request error:', e);\n                        initiateCallEnd();",
    to: "app.debug.error('Audio media device request error:', e);\n                        if (current === call) initiateCallEnd();",
  },
  {
    why: 'the line of a call that is over ends a later one',
    from: "app.debug.warn('Call error:', e);\n                        initiateCallEnd();",
    to: "app.debug.warn('Call error:', e);\n                        if (current === call) initiateCallEnd();",
  },
  {
    why: 'a call is ended that there is not',
    from: 'initiateCallEnd = () => {',
    to: 'initiateCallEnd = () => {\n                if (!current) return;',
  },
  {
    why: 'a call that rings stays open when it is over',
    from: 'Object.values(calls).forEach(call => call.close());',
    to: 'current?.close();\n            current = null;\n            Object.values(calls).forEach(call => call.close());',
  },
  {
    why: 'it is not said whose peer an agent has, although the name comes with it',
    from: 'callingAgents.set(id, name);',
    to: 'callingAgents.set(id, name);\n            if (info.peerId) peerIds.set(id, info.peerId);',
  },
  {
    why: 'who calls cannot end it while another agent is with the page',
    from: 'callingAgents.delete(id);\n            if (callingAgents.size === 0) {',
    to: `const peerId = peerIds.get(id);
            if (!peerId) callingAgents.delete(id);
            if (peerId ? peerId === current?.peer : callingAgents.size === 0) {`,
  },
  {
    why: 'the window names agents who neither talk nor have control',
    from: `function updateCallerNames() {
            callUI === null || callUI === void 0 ? void 0 : callUI.setAssistentName(callingAgents);
        }`,
    to: `const updateCallerNames = () => {
            const shown = [...callingAgents].filter(([id]) => {
                const peerId = peerIds.get(id);
                return !peerId || peerId === current?.peer || id === this.remoteControl?.agentID;
            });
            callUI?.setAssistentName(new Map(shown));
        };`,
  },
]
