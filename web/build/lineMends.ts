import type { Mend } from './mend.ts'

/** What is mended in Assist.js of the line to the agents, and of the control and recording they are given. */
export const lineMends: readonly Mend[] = [
  {
    why: 'every canvas is filmed at 30 frames a second, hidden or not, agent or not',
    from: "            if (id && hasTag(node, 'canvas')) {",
    to: "            if (id && hasTag(node, 'canvas') && this.agentsConnected && !app.sanitizer.isHidden(id) && !app.sanitizer.isObscured(id)) {",
  },
  {
    why: 'what the page shows is sent to any agent who comes, before anybody agreed',
    from: '            if (this.agentsConnected) {\n                const batchSize',
    to: '            if (this.agentsConnected && this.options.sendsPage) {\n                const batchSize',
  },
  {
    why: 'control does not come back where the agents are named before the first start is through',
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
    why: 'who signs in again in the same page cannot be called any more',
    from: '            this.peer.destroy();',
    to: '            this.peer.destroy();\n            this.peer = null;',
  },
  {
    why: 'control, call, recording and prompts stay when the visit is over',
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
    why: 'none of that is called when the visit is over',
    from: 'clean() {',
    to: 'clean() {\n        this.endAll?.();',
  },
  {
    why: 'nothing tells that the visit is over',
    from: "this.socket.disconnect();\n            this.app.debug.log('Socket disconnected');",
    to: 'this.socket.disconnect();\n            this.socket = null;',
  },
  {
    why: 'what begins again for an agent does so although the visit is over',
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
    why: 'a second agent takes from the first the control that a reload gives back',
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
    why: 'it begins again for agents who are named, too',
    from: `this.app.start().then(() => { this.assistDemandedRestart = false; })
                        .then(() => {
                        var _a;
                        (_a = this.remoteControl) === null || _a === void 0 ? void 0 : _a.reconnect(ids);
                    })`,
    to: 'startAgain().then(still => still && this.remoteControl?.reconnect(ids))',
  },
  {
    why: 'who went while the line was down keeps control, call and recording',
    from: "socket.on('AGENTS_CONNECTED', (ids) => {",
    to: `socket.on('AGENTS_CONNECTED', (ids) => {
            Object.keys(this.agents).filter(id => !ids.includes(id)).forEach(agentGone);`,
  },
  {
    why: 'any agent who goes ends the control of another, and nobody ends it for the last one',
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
    why: 'who has gone cannot be told that control is over, and the button throws',
    from: `const cb = this.agents[id].onControlReleased;
                    delete this.agents[id].onControlReleased;`,
    to: `const cb = this.agents[id]?.onControlReleased;
                    if (cb) delete this.agents[id].onControlReleased;`,
  },
  {
    why: 'control that is given back on a new line leaves the old drawing on the page',
    from: "this.emit('control_granted', id);\n            annot = new AnnotationCanvas();",
    to: "this.emit('control_granted', id);\n            annot?.remove();\n            annot = new AnnotationCanvas();",
  },
]
