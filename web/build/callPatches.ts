import type { VendorPatch } from './vendorPatch.ts'

/**
 * Patches of the calls in Assist.js: only one call at a time is tracked, as `current`, from its first
 * ring on.
 */
export const callPatches: readonly VendorPatch[] = [
  {
    why: 'calls use port 443 or 80 only, keep the port in the host name, and use public ICE servers',
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
    why: 'the ring tone plays although the prompt may be postponed; the prompt plays its own',
    from: '                    this.playNotificationSound(); // For every new agent',
    to: '                    // For every new agent',
  },
  {
    why: 'the ring tone is loaded from another host',
    from: "new Audio('https://static.openreplay.com/tracker-assist/notification.mp3')",
    to: "new Audio('/support/ring.wav')",
  },
  {
    why: 'the timeout of an earlier call ends a later one',
    from: `setTimeout(() => {
                        if (this.callingState !== CallingState.Requesting) {`,
    to: `clearTimeout(this.callExpiry);
                    this.callExpiry = setTimeout(() => {
                        if (this.callingState !== CallingState.Requesting) {`,
  },
  {
    why: 'after a call every change of visibility ends a call again',
    from: `                    document.addEventListener('visibilitychange', () => {
                        initiateCallEnd();
                    });`,
    to: "                    document.addEventListener('visibilitychange', initiateCallEnd, { once: true });",
  },
  {
    why: 'it does not track which call is ringing or active, nor its caller',
    from: 'let callEndCallback = null;',
    to: `let callEndCallback = null;
        let current = null;
        const peerIds = new Map();`,
  },
  {
    why: 'a second agent’s call is accepted without consent, and so is a repeated call after a crash',
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
    why: 'the answer to a prompt applies to a call that has ended',
    from: 'if (!agreed) {',
    to: 'if (current !== call) return;\n                    if (!agreed) {',
  },
  {
    why: 'a call that ends while the browser asks for the microphone is answered',
    from: 'lStreams[call.peer] = await RequestLocalStream();',
    to: `const stream = await RequestLocalStream();
                            if (current !== call) {
                                stream.stop();
                                return;
                            }
                            lStreams[call.peer] = stream;`,
  },
  {
    why: 'ICE servers with their credentials have to be known before any call',
    from: 'calls[call.peer] = call;',
    to: `peer.options.config = { iceServers: await this.options.callServers() };
                        if (current !== call) return;
                        calls[call.peer] = call;`,
  },
  {
    why: 'a microphone error of an ended call ends a later one',
    from: "app.debug.error('Audio media device request error:', e);\n                        initiateCallEnd();",
    to: "app.debug.error('Audio media device request error:', e);\n                        if (current === call) initiateCallEnd();",
  },
  {
    why: 'a connection error of an ended call ends a later one',
    from: "app.debug.warn('Call error:', e);\n                        initiateCallEnd();",
    to: "app.debug.warn('Call error:', e);\n                        if (current === call) initiateCallEnd();",
  },
  {
    why: 'a call is also ended when there is none',
    from: 'initiateCallEnd = () => {',
    to: 'initiateCallEnd = () => {\n                if (!current) return;',
  },
  {
    why: 'a ringing call stays open when it has ended',
    from: 'Object.values(calls).forEach(call => call.close());',
    to: 'current?.close();\n            current = null;\n            Object.values(calls).forEach(call => call.close());',
  },
  {
    why: 'the peer id of an agent is not recorded, although it arrives with the name',
    from: 'callingAgents.set(id, name);',
    to: 'callingAgents.set(id, name);\n            if (info.peerId) peerIds.set(id, info.peerId);',
  },
  {
    why: 'a caller cannot end the call while another agent is connected',
    from: 'callingAgents.delete(id);\n            if (callingAgents.size === 0) {',
    to: `const peerId = peerIds.get(id);
            if (!peerId) callingAgents.delete(id);
            if (peerId ? peerId === current?.peer : callingAgents.size === 0) {`,
  },
  {
    why: 'the call window names agents who neither talk nor have control',
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
