import helmet from 'helmet';

/**
 * For answers that are data: a browser that is led to one shows nothing of it, runs nothing and embeds it nowhere. A page
 * of Holdpoint's own sets a policy of its own. TLS is somebody else's before this server, and so is saying that it is a must.
 */
export const securityHeaders = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { defaultSrc: ["'none'"], baseUri: ["'none'"], formAction: ["'none'"], frameAncestors: ["'none'"] },
  },
  strictTransportSecurity: false,
  xFrameOptions: { action: 'deny' },
});
