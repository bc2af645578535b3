import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from './api/queries.ts';
import { App } from './app.tsx';
import { Boundary } from './components/boundary.tsx';
import { keepFocusNear } from './keep-focus-near.ts';

const root = document.getElementById('root');
if (!root) throw new Error('missing #root element');
keepFocusNear(root);
createRoot(root).render(
  <StrictMode>
    <Boundary>
      <QueryClientProvider client={queryClient}>
        <App />
      </QueryClientProvider>
    </Boundary>
  </StrictMode>,
);
