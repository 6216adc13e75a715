import { OAuth2Server } from 'oauth2-mock-server'

/** An OpenID Connect provider that is not ours. It signs in whom it is told, without asking. */
export interface OpenIdProvider extends AsyncDisposable {
  url: string
  /** What the next token says of the person. */
  account: Record<string, unknown>
  /** What the next token says otherwise than it ought to. */
  claims: Record<string, unknown>
  /** What becomes of the next token after it was signed. */
  forgery: (token: string) => string
  /** How many browsers came. */
  visits: number
  /** No more lies. */
  honest(): void
}

/** Starts one on this machine. */
export async function openIdProvider(): Promise<OpenIdProvider> {
  const server = new OAuth2Server()
  await server.issuer.keys.generate('RS256')
  await server.start(0, '127.0.0.1')
  const { port } = server.address()
  const provider: OpenIdProvider = {
    url: `http://127.0.0.1:${port}`,
    account: {},
    claims: {},
    forgery: token => token,
    visits: 0,
    honest() {
      provider.claims = {}
      provider.forgery = token => token
    },
    [Symbol.asyncDispose]: () => server.stop(),
  }
  server.issuer.url = provider.url
  server.service.on('beforeAuthorizeRedirect', () => {
    provider.visits++
  })
  server.service.on('beforeTokenSigning', (token: { payload: object }) => {
    Object.assign(token.payload, provider.account, provider.claims)
  })
  server.service.on('beforeResponse', ({ body }: { body: { id_token: string } }) => {
    body.id_token = provider.forgery(body.id_token)
  })
  return provider
}
