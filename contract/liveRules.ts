// The live protocol's numbers. No zod here: the browser needs these at run time.

/** The wire's number. An installed app may be weeks old: a server that cannot talk to it says so. */
export const protocol = 1

/** Largest frame a client may send, in bytes. */
export const maxUpBytes = 4096

/** Both sides send something at least this often. */
export const beatEveryMs = 2000

/** A line that is silent for this long is dead, for either side. */
export const deadAfterMs = 5000

/** The driver is online when the last contact is younger than this; looked at again every 2.5 s. */
export const offlineAfterMs = 5000
export const onlineRecheckMs = 2500

/** How often the driver's phone reports, with or without a position. */
export const fixEveryMs = 1000

/** By so much the phone's idea of our clock may be ahead: half of a bad round trip. */
export const clockToleranceMs = 5000

/** Why the server closes a line. Below 4100 the client may come back; from 4100 on it must not by itself. */
export const CloseCode = {
  /** The server is stopping. */
  goingAway: 1001,
  /** Nothing was heard for too long. */
  silent: 4000,
  /** The line could not keep up: come back for a snapshot. */
  tooSlow: 4001,
  /** Too many frames in too short a time. */
  tooMany: 4002,
  /** A frame was not JSON text, too large, or no frame of this protocol. */
  badFrame: 4003,
  /** Hello did not come first, or not in time. */
  noHello: 4004,
  /** The login ended, or there was none. */
  signedOut: 4100,
  /** The app is older or newer than the server: update it first. */
  wrongProtocol: 4101,
} as const
export type CloseCode = (typeof CloseCode)[keyof typeof CloseCode]

/** From here on the client does not come back by itself. */
export const firstFinalCloseCode = 4100
