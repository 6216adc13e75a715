/** An unreadable recording or circuit file. The message is one sentence for the user. */
export class RecordingRefused extends Error {}
