import type { VendorPatch } from './vendorPatch.ts'

/**
 * Patches of Assist.js: the connection to the agents, and the control and recording granted to them.
 */
export const connectionPatches: readonly VendorPatch[] = [
  {
    why: 'every canvas is recorded at 30 frames a second, even if hidden or without an agent',
    from: "            if (id && hasTag(node, 'canvas')) {",
    to: "            if (id && hasTag(node, 'canvas') && this.agentsConnected && !app.sanitizer.isHidden(id) && !app.sanitizer.isObscured(id)) {",
  },
  {
    why: 'the page is sent to every agent who connects, before the user consents',
    from: '            if (this.agentsConnected) {\n                const batchSize',
    to: '            if (this.agentsConnected && this.options.sendsPage) {\n                const batchSize',
  },
  {
    why: 'control is not restored if the agents are announced before the first start has finished',
    from: `agentInfo),
                };
            });
            if (this.app.active()) {`,
    to: `agentInfo),
                };
            });
            const onceStarted = () => {
                if (this.app.active()) this.remoteControl?.reconnect(ids);
                else if (socket.connected) setTimeout(onceStarted, 100);
            };
            if (!this.app.active()) {
                onceStarted();
            }
            else {`,
  },
  {
    why: 'a user who signs in again on the same page cannot be called any more',
    from: '            this.peer.destroy();',
    to: '            this.peer.destroy();\n            this.peer = null;',
  },
  {
    why: 'control, calls, recordings and prompts outlive the visit',
    from: 'const callingAgents = new Map(); //',
    to: `this.endAll = () => {
            if (current) {
                this.emit('call_end');
                handleCallEnd();
            }
            if (recordingState.isActive) {
                recordingState.stopRecording();
                socket.emit('recording_rejected');
            }
        };
        const callingAgents = new Map(); //`,
  },
  {
    why: 'the cleanup is not called when the visit ends',
    from: 'clean() {',
    to: 'clean() {\n        this.endAll?.();',
  },
  {
    why: 'the end of the visit is not detected',
    from: "this.socket.disconnect();\n            this.app.debug.log('Socket disconnected');",
    to: 'this.socket.disconnect();\n            this.socket = null;',
  },
  {
    why: 'a restart for an agent continues although the visit has ended',
    from: 'socket.onAny((...args) => {',
    to: `const startAgain = () => {
            const isOver = () => {
                this.assistDemandedRestart = false;
                return this.socket !== socket;
            };
            if (this.socket !== socket) return Promise.resolve(!isOver());
            return this.app.start().then(() => {
                const still = !isOver();
                if (this.socket === null) this.app.stop();
                return still;
            });
        };
        socket.onAny((...args) => {`,
  },
  {
    why: 'a second agent takes over the control that a reload restores for the first one',
    from: `this.app.clearBuffers();
                setTimeout(() => {
                    this.app.start().then(() => { this.assistDemandedRestart = false; })
                        .then(() => {
                        var _a;
                        (_a = this.remoteControl) === null || _a === void 0 ? void 0 : _a.reconnect([id,]);
                    })`,
    to: `this.app.clearBuffers();
                setTimeout(() => {
                    startAgain()`,
  },
  {
    why: 'the same restart race when several agents are announced',
    from: `this.app.start().then(() => { this.assistDemandedRestart = false; })
                        .then(() => {
                        var _a;
                        (_a = this.remoteControl) === null || _a === void 0 ? void 0 : _a.reconnect(ids);
                    })`,
    to: 'startAgain().then(still => still && this.remoteControl?.reconnect(ids))',
  },
  {
    why: 'agents who left while disconnected keep control, call and recording',
    from: "socket.on('AGENTS_CONNECTED', (ids) => {",
    to: `socket.on('AGENTS_CONNECTED', (ids) => {
            Object.keys(this.agents).filter(id => !ids.includes(id)).forEach(agentGone);`,
  },
  {
    why: 'any leaving agent ends the control of another one, and the last agent’s control is not ended',
    from: `socket.on('AGENT_DISCONNECTED', (id) => {
            var _a, _b, _c;
            (_a = this.remoteControl) === null || _a === void 0 ? void 0 : _a.releaseControl();
            (_c = (_b = this.agents[id]) === null || _b === void 0 ? void 0 : _b.onDisconnect) === null || _c === void 0 ? void 0 : _c.call(_b);
            delete this.agents[id];
            recordingState.stopAgentRecording(id);
            endAgentCall(id);
        });
        socket.on('NO_AGENT', () => {
            Object.values(this.agents).forEach(a => { var _a; return (_a = a.onDisconnect) === null || _a === void 0 ? void 0 : _a.call(a); });
            this.agents = {};`,
    to: `const agentGone = (id) => {
            if (this.remoteControl?.agentID === id) this.remoteControl.releaseControl();
            this.agents[id]?.onDisconnect?.();
            delete this.agents[id];
            recordingState.stopAgentRecording(id);
            endAgentCall(id);
            callingAgents.delete(id);
            peerIds.delete(id);
        };
        socket.on('AGENT_DISCONNECTED', agentGone);
        socket.on('NO_AGENT', () => {
            Object.keys(this.agents).forEach(agentGone);`,
  },
  {
    why: 'releasing control throws if the agent is gone',
    from: `const cb = this.agents[id].onControlReleased;
                    delete this.agents[id].onControlReleased;`,
    to: `const cb = this.agents[id]?.onControlReleased;
                    if (cb) delete this.agents[id].onControlReleased;`,
  },
  {
    why: 'control restored on a new connection leaves the old annotations on the page',
    from: "this.emit('control_granted', id);\n            annot = new AnnotationCanvas();",
    to: "this.emit('control_granted', id);\n            annot?.remove();\n            annot = new AnnotationCanvas();",
  },
]
