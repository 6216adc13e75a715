/** Tokens of GPS loggers and other devices without a browser. */
export const tokensText = {
  title: 'New token for a device',
  text: 'A GPS logger or another program without a browser sends this token instead of signing in. Allow only what it needs.',
  name: 'Name of the device',
  nameMissing: 'Enter a name.',
  scopes: 'The device may',
  drive: 'Report positions and show messages in sessions you drive',
  read: 'Read your teams, sessions and messages',
  send: 'Send messages to drivers',
  timing: 'Send official timing',
  scopesMissing: 'Select at least one.',
  create: 'Create',

  created: 'Token created',
  createdText: (name: string) =>
    `Copy the token into ${name} now: it is not shown again. Whoever has it has these rights, until you sign the device out.`,
  token: 'Token',
  example: 'To try it',
  liveExample: 'To try the live connection',
  copy: (label: string) => `Copy: ${label}`,
  copied: 'Copied',
  copyFailed: 'Not copied',
  copyFailedText: 'Select the text and copy it.',
}
