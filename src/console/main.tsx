import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { setNonce } from 'get-nonce';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from './api/queries.ts';
import { fetchPages, router } from './app/router.tsx';
import './styles/tokens.css';
import './styles/base.css';
import './styles/shell.css';

// For the styles that the component library adds: the page's policy lets no others in.
setNonce(document.querySelector<HTMLMetaElement>('meta[name="nonce"]')?.content ?? '');

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);

setTimeout(fetchPages, 3_000);
