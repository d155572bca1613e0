import '@fontsource-variable/inter/wght.css';
import '@fontsource-variable/jetbrains-mono/wght.css';
import '../ui/tokens.css';
import '../ui/base.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { followChanges } from './feed.js';
import { queries } from './live.js';
import { askWhoActs } from './me.js';
import { followClock } from './rota.js';
import { router } from './router.js';
import { applyTheme } from './theme-switch.js';

applyTheme();
askWhoActs();
followChanges();
followClock();
createRoot(document.getElementById('app')!).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
